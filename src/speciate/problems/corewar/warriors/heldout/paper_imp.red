;redcode-94
;name Paper Boats
;author speciate
;strategy family: hybrid
;strategy A paper whose eight processes, after two copies, go on as imps. The papers spread, the imps
;strategy are left in their wake and are hard to sink.
;assert (CORESIZE >= 400) && (MAXLENGTH >= 8)

near    equ     (CORESIZE*2/9+4)
far     equ     (CORESIZE*6/11+7)

        org     start

start   spl.b   $1
        spl.b   $1
        spl.b   $1
leaf    spl.b   @0, $near
        mov.i   }leaf, >leaf
        mov.i   {leaf, {next
next    spl.b   $far+8, $0
boat    mov.i   $0, $1

        end
