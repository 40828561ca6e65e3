;redcode-94
;name Firebrand
;author speciate
;strategy family: bomber
;strategy First sets the core alight with SPL bombs: who runs one is stuck, and slows all its
;strategy other processes. After one pass it wipes the core with DATs while the enemy is slow.
;assert (CORESIZE % 8 == 0) && (CORESIZE % 37 != 0) && (CORESIZE >= 80) && (MAXLENGTH >= 8)

step    equ     (8*37)

        org     throw

throw   mov.i   $fire, @aim
        add.ab  #step, $aim
        djn.b   $throw, #CORESIZE/8-1   ; every eighth cell but our own
wipe    mov.i   $kill, <kill
        jmp.b   $wipe, <wipe-6
kill    dat.f   #0, #-5
aim     dat.f   #0, #step+1     ; the residue of the code's last cell
fire    spl.b   #0, #0

        end
