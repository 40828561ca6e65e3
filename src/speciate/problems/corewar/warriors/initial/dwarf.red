;redcode-94
;name Dwarf
;author speciate
;strategy family: bomber
;strategy Drops a DAT on every fourth cell and goes round the core for ever.
;strategy Its four cells lie between the places it bombs: the step divides the core.
;assert (CORESIZE % 4 == 0) && (CORESIZE > 8)

step    equ     4

        org     throw

throw   mov.i   $bomb, @bomb    ; the bomb holds its own target in B
        add.ab  #step, $bomb
        jmp.b   $throw
bomb    dat.f   #0, #step

        end
