;redcode-94
;name Raw Silk
;author speciate
;strategy family: replicator
;strategy Eight processes run in step. Each starts a process in the copy first and copies one cell
;strategy afterwards, just in time. A second copy is made from the last cell down, and all move on
;strategy to it, after eight bombs in a row.
;assert (CORESIZE >= 200) && (MAXLENGTH >= 9)

near    equ     (CORESIZE*2/7+5)
far     equ     (CORESIZE*7/11+2)

        org     start

start   spl.b   $1
        spl.b   $1
        spl.b   $1              ; eight in step
paper   spl.b   @0, $near       ; the copy runs before it is there
        mov.i   }paper, >paper  ; cells 0 to 7
        mov.i   $bomb, >bomb
        mov.i   {paper, {next   ; cells 7 to 0
next    jmp.b   $far+8, $0      ; A has come down to the first cell of the second copy
bomb    dat.f   <2, <53

        end
