;redcode-94
;name Hail
;author speciate
;strategy family: bomber
;strategy Hits every fifth cell, and never two neighbours in a row: the step is five times a number
;strategy coprime to a fifth of the core, near two fifths of it, so that the holes shrink evenly.
;assert CORESIZE % 80 == 0

step    equ     (5*(CORESIZE/5*2/5-1))

        org     throw

throw   mov.i   $stone, @stone
        add.ab  #step, $stone
        jmp.b   $throw, <throw-1        ; one more way to hurt who is close below
stone   dat.f   <-2, #step

        end
