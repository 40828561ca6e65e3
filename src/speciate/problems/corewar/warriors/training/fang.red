;redcode-94
;name Fang
;author speciate
;strategy family: vampire
;strategy Bombs the core with jumps that all lead into one pit. Captives split there for ever, so the
;strategy enemy's free processes run slower and slower. After one pass a sweep wipes the core; the
;strategy last cells it takes are the pit with everyone in it.
;assert (CORESIZE % 10 == 0) && (CORESIZE % 37 != 0) && (CORESIZE >= 80) && (MAXLENGTH >= 10)

step    equ     (10*37)
aim     equ     (step+2)

        org     throw

throw   mov.i   $fang, @fang
        add.f   $pace, $fang            ; as B goes up A goes down: it still leads to the pit
        djn.b   $throw, #CORESIZE/10-1
wipe    mov.i   $kill, <kill
        jmp.b   $wipe
kill    dat.f   #0, #-5
pace    dat.f   #-step, #step
fang    jmp.b   $pit-aim, $aim
pit     spl.b   #0, $0
        jmp.b   $pit

        end
