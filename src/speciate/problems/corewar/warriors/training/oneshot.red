;redcode-94
;name One Look
;author speciate
;strategy family: scanner
;strategy Compares two cells sixteen apart, in strides of thirty-two. At the first difference it stops
;strategy looking for good and floods the core with DATs, from just below what it found. When the flood
;strategy comes round to its own pointer it starts again past its code.
;assert (CORESIZE % 32 == 0) && (CORESIZE >= 160) && (MAXLENGTH >= 11)

stride  equ     32
apart   equ     16

        org     scan

gate    dat.f   #0, #0          ; becomes the pointer of the flood
scan    add.f   $pace, $eye
eye     sne.i   $10, $10+apart  ; both past the code, modulo the stride
        jmp.b   $scan, <scan-6
        mov.ab  $eye, $gate
        add.ab  #eye-gate-apart, $gate
        spl.b   #0, <scan-9
wipe    mov.i   $bomb, >gate
        jmp.b   $wipe, <scan-7
bomb    dat.f   <-9, #11        ; as a pointer it starts past the code
pace    dat.f   #stride, #stride

        end
