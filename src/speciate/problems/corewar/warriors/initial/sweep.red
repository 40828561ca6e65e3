;redcode-94
;name Sweep
;author speciate
;strategy family: clear
;strategy Wipes the core downwards, cell by cell, with its own pointer as the bomb.
;strategy When the pointer has come round to itself the copy that was read before the
;strategy decrement is written back: it stays there, and the sweep never eats its own code.
;assert CORESIZE > 3

        org     wipe

wipe    mov.i   $kill, <kill    ; A is read before B is decremented
        jmp.b   $wipe
kill    dat.f   #0, #-2         ; the first cell wiped is the one below this code

        end
