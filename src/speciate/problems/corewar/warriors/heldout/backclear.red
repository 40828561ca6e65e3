;redcode-94
;name Low Tide
;author speciate
;strategy family: clear
;strategy The downward wipe, run by as many processes as there may be. One bomb that is also the
;strategy pointer; when it has come round to itself it is written back unchanged and stays there.
;assert CORESIZE >= 12

        org     more

more    spl.b   #0, $0
wipe    mov.i   $kill, <kill
        jmp.b   $wipe
kill    dat.f   #0, #-3

        end
