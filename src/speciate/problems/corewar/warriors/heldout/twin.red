;redcode-94
;name Twin Carousels
;author speciate
;strategy family: ring
;strategy Two rings of three imps, the second a few cells behind the first, each of another kind.
;strategy Eight processes run in step and take a table of jumps from the bottom up; the two left over
;strategy guard a gate.
;assert (CORESIZE % 3 == 2) && (CORESIZE >= 200) && (MAXLENGTH >= 14)

third   equ     ((CORESIZE+1)/3)

        org     start

two     mov.i   #third, *0
guard   jmp.b   $guard, <guard-14       ; the eighth
        jmp.b   $guard, <guard-14       ; the seventh
        jmp.b   $two+third+third
        jmp.b   $two+third
        jmp.b   $two
        jmp.b   $one+third+third
        jmp.b   $one+third
        jmp.b   $one
start   spl.b   $1
        spl.b   $1
        spl.b   $1
        jmp.b   <0, $-3                 ; B is the pointer: the k-th process takes the k-th line
one     mov.i   $0, $third

        end
