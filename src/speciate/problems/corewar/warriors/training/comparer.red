;redcode-94
;name Spot the Difference
;author speciate
;strategy family: scanner
;strategy Compares cells half a core apart: two looks a step. Where they differ, one of them
;strategy belongs to somebody, and both get two SPLs. Then they are equal, and a second look costs
;strategy nothing. After one pass over the core it wipes all with DATs.
;assert (CORESIZE % 40 == 0) && (CORESIZE >= 160) && (MAXLENGTH >= 17)

half    equ     (CORESIZE/2)
gap     equ     20                      ; the code is shorter than this

        org     scan

scan    add.f   $pace, $eye
eye     sne.i   $-3, $half-3            ; the last cells before the next multiple of the gap
tell    djn.b   $scan, #CORESIZE/gap/2  ; equal, most likely both empty
        jmz.b   $wipe, $tell            ; the pass is over
        mov.i   $fire, *eye
        mov.i   $fire, @eye
        add.f   $one, $eye
        mov.i   $fire, *eye
        mov.i   $fire, @eye
        sub.f   $one, $eye
        jmp.b   $scan
wipe    mov.i   $kill, <kill
        jmp.b   $wipe
kill    dat.f   #0, #-13
pace    dat.f   #gap, #gap
one     dat.f   #1, #1
fire    spl.b   #0, #0

        end
