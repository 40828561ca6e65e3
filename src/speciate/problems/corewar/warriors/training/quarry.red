;redcode-94
;name Quarry
;author speciate
;strategy family: bomber
;strategy Throws two bombs a loop, one running up the core and one running down.
;strategy The step is 8 times a number coprime to an eighth of the core: every eighth cell is
;strategy hit once in a pass, far from the last hit, and the seven cells of the code never are.
;assert (CORESIZE % 8 == 0) && (CORESIZE % 383 != 0) && (CORESIZE >= 80) && (MAXLENGTH >= 7)

step    equ     ((8*383)%CORESIZE)

        org     loop

loop    mov.i   $bomb, *aim
        mov.i   $bomb, @aim
        add.f   $pace, $aim
        jmp.b   $loop
pace    dat.f   #-step, #step
aim     dat.f   #-6, #2         ; both are the cell just past the code, modulo 8
bomb    dat.f   <-5, <-10       ; also hurts whoever reads through it

        end
