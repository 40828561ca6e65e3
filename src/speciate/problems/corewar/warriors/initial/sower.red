;redcode-94
;name Sower
;author speciate
;strategy family: replicator
;strategy Copies itself far away, starts the copy, and sows the next one elsewhere.
;strategy Every copy does the same, so that processes and copies multiply.
;assert (CORESIZE >= 200) && (MAXLENGTH >= 8)

far     equ     (CORESIZE*5/16+3)       ; from a plant to its first seed
step    equ     (CORESIZE/9+7)          ; from one seed to the next

        org     begin

plant   nop.f   #0, #0          ; A: where the next cell goes, B: cells still to copy
begin   mov.f   $where, $plant
copy    mov.i   <plant, {plant  ; from the last cell down to the first
        jmn.b   $copy, $plant
        spl.b   *plant          ; the seed is complete: it starts at its first cell
        add.a   #step, $where
        jmp.b   $begin
where   dat.f   #far+8, #8      ; one past the seed's end, one past our own

        end
