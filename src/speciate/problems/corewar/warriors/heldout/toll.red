;redcode-94
;name Forced Labour
;author speciate
;strategy family: vampire
;strategy Its bombs are jumps into a pit, and the pit is a core sweep: captives wipe the core, their
;strategy own comrades first. The sweep's pointer stops by itself before it reaches the thrower. When
;strategy there was time for all of that, the pit is shut and everyone in it dies.
;assert (CORESIZE % 16 == 0) && (CORESIZE % 61 != 0) && (CORESIZE >= 160) && (MAXLENGTH >= 10)

step    equ     (16*61)
aim     equ     (step+6)

        org     throw

throw   mov.i   $fang, @fang
        add.f   $pace, $fang            ; as B goes up A goes down: it still leads to the pit
        djn.b   $throw, #CORESIZE       ; sixteen laps
shut    mov.i   $kill, $pit
        jmp.b   $shut
pace    dat.f   #-step, #step
fang    jmp.b   $pit-aim, $aim          ; aims past the code, modulo sixteen
pit     mov.i   $kill, <kill
        jmp.b   $pit
kill    dat.f   #0, #-9

        end
