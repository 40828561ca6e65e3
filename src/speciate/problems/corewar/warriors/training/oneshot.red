;redcode-94
;name One Look
;author speciate
;strategy family: scanner
;strategy Compares two near cells every sixteen. At the first difference it stops looking for good
;strategy and floods the core with DATs, from just below what it found. When the flood comes round
;strategy to its own pointer it starts again past its code.
;assert CORESIZE % 16 == 0 && CORESIZE >= 80 && MAXLENGTH >= 11

gap     equ     16

        org     scan

gate    dat.f   #0, #0          ; becomes the pointer of the flood
scan    add.f   $pace, $eye
eye     sne.i   $10, $12        ; between the code and the next multiple of the gap
        jmp.b   $scan, <scan-6
        mov.ab  $eye, $gate
        add.ab  #eye-gate-gap, $gate
        spl.b   #0, <scan-9
wipe    mov.i   $bomb, >gate
        jmp.b   $wipe, <scan-7
bomb    dat.f   <-9, #11        ; as a pointer it starts past the code
pace    dat.f   #gap, #gap

        end
