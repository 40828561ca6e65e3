;redcode-94
;name Paper Weight
;author speciate
;strategy family: hybrid
;strategy A paper keeps it alive while a stone throws bombs. Both run from the first cycle on; what
;strategy hurts the one rarely hurts the other.
;assert (CORESIZE % 5 == 0) && (CORESIZE >= 400) && (MAXLENGTH >= 14)

near    equ     (CORESIZE*3/13+1)
far     equ     (CORESIZE*8/17+5)
step    equ     (CORESIZE/5*2+5*41)

        org     start

start   spl.b   $paper
stone   mov.i   $rock, @rock
        add.ab  #step, $rock
        jmp.b   $stone, <stone-7
rock    dat.f   <-1, #step
paper   spl.b   $1
        spl.b   $1
        spl.b   $1
leaf    spl.b   @0, $near
        mov.i   }leaf, >leaf
        mov.i   {leaf, {next
        mov.i   $drop, <drop
next    jmp.b   $far+8, $0
drop    dat.f   <5, <-17

        end
