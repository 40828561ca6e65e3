;redcode-94
;name Downpour
;author speciate
;strategy family: clear
;strategy A clear that many processes run at once: SPL #0 piles them up, so that no single
;strategy wrong step ends it. It runs upwards; its pointer lies below the code, and the bombs
;strategy decrement a gate on their way.
;assert CORESIZE >= 16

        org     more

gate    dat.f   #0, #5          ; the pointer: starts past the code
more    spl.b   #0, <-4
wipe    mov.i   $bomb, >gate
        jmp.b   $wipe, <-6
bomb    dat.f   <-8, #6         ; as a pointer it again starts past the code

        end
