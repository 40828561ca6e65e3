;redcode-94
;name Dice
;author speciate
;strategy family: mutant
;strategy A replicator that throws dice for the place of each child. The dice are a linear congruential
;strategy generator (Hull 1962) in its own code: multiplier minus one is divisible by 2, 4 and 5, so that
;strategy its period is the whole core. A parent loads its dice after each birth: no child follows it.
;assert (CORESIZE % 20 == 0) && (CORESIZE >= 4000) && (MAXLENGTH >= 12)

        org     begin

self    nop.f   #0, #0          ; A: one past where the next cell goes, B: cells still to copy
begin   mul.ab  #21, $dice
        add.ab  #577, $dice
        mov.ba  $dice, $self
        add.a   #12, $self
        mov.ab  #12, $self
copy    mov.i   <self, {self
        jmn.b   $copy, $self
        spl.b   *self           ; the child goes on from the same throw
        add.ab  #333, $dice     ; the parent throws another
        jmp.b   $begin
dice    dat.f   #0, #1237

        end
