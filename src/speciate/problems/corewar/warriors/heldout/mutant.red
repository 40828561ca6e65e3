;redcode-94
;name Dice
;author speciate
;strategy family: mutant
;strategy A replicator that is never the same twice: the place of each child comes from a linear
;strategy congruential generator (Hull 1962) that parent and child carry on, so no two of a family go
;strategy the same way. Multiplier minus one is divisible by 2, 4 and 5: the period is the whole core.
;assert CORESIZE % 20 == 0 && CORESIZE >= 4000 && MAXLENGTH >= 11

        org     begin

self    nop.f   #0, #0          ; A: one past where the next cell goes, B: cells still to copy
begin   mul.ab  #21, $dice
        add.ab  #577, $dice
        mov.ba  $dice, $self
        add.a   #11, $self
        mov.ab  #11, $self
copy    mov.i   <self, {self
        jmn.b   $copy, $self
        spl.b   *self           ; the child goes on from the same throw
        jmp.b   $begin          ; the parent throws again
dice    dat.f   #0, #1237

        end
