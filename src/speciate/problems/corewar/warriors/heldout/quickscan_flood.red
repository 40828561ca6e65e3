;redcode-94
;name First Light
;author speciate
;strategy family: quickscan
;strategy Twelve quick comparisons, then a flood that begins where something was seen, or right past
;strategy its own code if nothing was. The flood comes round again and again.
;assert (CORESIZE >= 2000) && (MAXLENGTH >= 34)

gap     equ     (CORESIZE/14)
half    equ     (gap/2+1)

        org     look

look
k       for     12
        seq.i   $look+(k*gap), $look+(k*gap)+half
        mov.ab  #look+(k*gap)-gate-20, $gate
        rof
        jmp.b   $more
gate    dat.f   #0, #bomb-gate+1
more    spl.b   #0, <look-5
wipe    mov.i   $bomb, >gate
        djn.f   $wipe, <look-9
bomb    dat.f   <-7, #bomb-gate+2

        end
