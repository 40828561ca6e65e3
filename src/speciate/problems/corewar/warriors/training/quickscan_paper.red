;redcode-94
;name Early Bird
;author speciate
;strategy family: quickscan
;strategy Before anything else it compares ten pairs of cells all over the core, two cycles a pair.
;strategy Who is seen gets a carpet of SPLs before it has done much. Then, or if nobody is seen, it
;strategy lives on as a paper.
;assert (CORESIZE >= 2000) && (MAXLENGTH >= 45)

gap     equ     (CORESIZE/12)
half    equ     (gap/2)
near    equ     (CORESIZE*4/15+7)
far     equ     (CORESIZE*9/14+3)

        org     look

look
k       for     10
        seq.i   $look+(k*gap), $look+(k*gap)+half
        mov.ab  #look+(k*gap)-spot, $spot         ; the later find wins
        rof
        jmz.b   $paper, $spot
        jmn.f   $burn, @spot
        add.ab  #half, $spot                    ; then it is the other of the two
burn    mov.i   $fire, @spot
        sub.ab  #3, $spot
count   djn.b   $burn, #16
paper   spl.b   $1
        spl.b   $1
        spl.b   $1
leaf    spl.b   @0, $near
        mov.i   }leaf, >leaf
        mov.i   {leaf, {next
        mov.i   $drop, }drop
next    jmp.b   $far+8, $0
drop    dat.f   >3, >1
fire    spl.b   #0, #1
spot    dat.f   #0, #0

        end
