;redcode-94
;name Frost and Fire
;author speciate
;strategy family: clear
;strategy Goes over the core twice: first with SPL, which stuns papers and rings, then with DAT.
;strategy Each bomb carries the pointer of its pass in B; a counter ends the first pass.
;assert (CORESIZE >= 80) && (MAXLENGTH >= 7)

        org     stun

stun    mov.i   $fire, <fire            ; downwards from below the code
        djn.b   $stun, #CORESIZE-8      ; all but the code
wipe    mov.i   $kill, <kill
        jmp.b   $wipe, <-9
fire    spl.b   #0, #-4
        dat.f   0, 0                    ; keeps the bombs apart
kill    dat.f   #0, #-6

        end
