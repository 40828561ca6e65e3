;redcode-94
;name Strawmen
;author speciate
;strategy family: decoy
;strategy Sets up straw men all over the core, harmless cells with full fields, while it waits at a
;strategy gate with a second process. Scanners chase the straw men; the bomber behind never stops.
;assert (CORESIZE % 10 == 0) && (CORESIZE >= 80) && (MAXLENGTH >= 10)

step    equ     (10*23)

        org     part

part    spl.b   $gate
raise   mov.i   $straw, *where
        mov.i   $bomb, @where
        add.f   $pace, $where
        jmp.b   $raise
pace    dat.f   #step, #-step
where   dat.f   #3, #3          ; the last cell of the code, modulo ten
straw   nop.x   #99, #-99
gate    jmp.b   $gate, <gate-13
bomb    dat.f   <-1, <1

        end
