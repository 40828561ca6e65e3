;redcode-94
;name Second Field
;author speciate
;strategy family: scanner
;strategy Reads B fields alone, which most instructions fill. On a find it drops an SPL that is also
;strategy its pointer. Twelve does not divide the core, so each lap looks at other cells; what lies
;strategy less than its own length ahead of the pointer's cell is itself. In the end it wipes the core.
;assert (CORESIZE % 12 == 8) && (CORESIZE >= 80) && (MAXLENGTH >= 11)

gap     equ     12

        org     scan

trap    spl.b   #0, #1
scan    add.ab  #gap, $trap
        djn.b   $see, #CORESIZE/2       ; looks left before the wipe
wipe    mov.i   $kill, <kill
        jmp.b   $wipe
kill    dat.f   #0, #-5
see     jmz.b   $scan, @trap
        slt.b   $own, $trap             ; within our own code
        jmp.b   $scan
        mov.i   $trap, @trap
        jmp.b   $scan
own     dat.f   #0, #11

        end
