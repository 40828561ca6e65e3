;redcode-94
;name Carousel
;author speciate
;strategy family: ring
;strategy A ring of three imps a third of the core apart. Each copies what its follower
;strategy will run, so a bomb that hits one copy is often written over before it is reached.
;strategy A tree of three SPLs starts all of them in the same round; a fourth process guards a gate.
;assert (CORESIZE % 3 == 2) && (CORESIZE >= 40) && (MAXLENGTH >= 8)

third   equ     ((CORESIZE+1)/3)        ; three times this is one more than the core

        org     left

left    spl.b   $right
        spl.b   $second
        jmp.b   $imp
second  jmp.b   $imp+third
right   spl.b   $guard
        jmp.b   $imp+third+third
guard   jmp.b   $guard, <guard-12
imp     mov.i   $0, $third

        end
