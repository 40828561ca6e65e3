;redcode-94
;name Timber
;author speciate
;strategy family: replicator
;strategy Three copies a generation from eight processes: two made just in time and a third from the
;strategy last cell down. Its bombs go through a predecremented pointer and break imps.
;assert (CORESIZE >= 400) && (MAXLENGTH >= 11)

s1      equ     (CORESIZE*3/10+7)
s2      equ     (CORESIZE*5/7+1)
s3      equ     (CORESIZE/6+9)

        org     start

start   spl.b   $1
        spl.b   $1
        spl.b   $1
root    spl.b   @0, $s1
        mov.i   }root, >root
stem    spl.b   @0, $s2         ; this copy begins with the stem
        mov.i   }stem, >stem
        mov.i   $saw, <saw
        mov.i   {root, {next
next    jmp.b   $s3+8, $0
saw     dat.f   <-9, <-31

        end
