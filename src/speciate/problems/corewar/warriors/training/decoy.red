;redcode-94
;name Scarecrows
;author speciate
;strategy family: decoy
;strategy Carries its clear, five cells, far away and leaves a body full of bait: every cell differs
;strategy from its neighbours, so scanners stop here and spend their bombs on an empty house.
;assert (CORESIZE >= 400) && (MAXLENGTH >= 20)

far     equ     (CORESIZE*5/9+6)

        org     move

gate    dat.f   #0, #5
more    spl.b   #0, <-8
wipe    mov.i   $bomb, >gate
        jmp.b   $wipe, <-11
bomb    dat.f   <-13, #6

from    dat.f   #0, #gate-from+5        ; one past the cells to carry
to      dat.f   #0, #gate-to+5+far
move    mov.i   <from, <to
        djn.b   $move, #5
        jmp.b   $more+far
k       for     10
        dat.f   #7*k, #-11*k            ; bait
        rof

        end
