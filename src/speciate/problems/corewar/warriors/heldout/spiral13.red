;redcode-94
;name Thirteen
;author speciate
;strategy family: spiral
;strategy Thirteen imps in a spiral, started by sixteen processes in step through a table of jumps.
;strategy The last three guard one gate together.
;assert (CORESIZE % 13 == 5) && (CORESIZE >= 1000) && (MAXLENGTH >= 22)

d       equ     ((5*CORESIZE+1)/13)     ; 13 d = 1, as the core size is 5 modulo 13

        org     start

start   spl.b   $1
        spl.b   $1
        spl.b   $1
        spl.b   $1                      ; sixteen
        jmp.b   >0, $1
k       for     13
        jmp.b   $imp+(k-1)*d
        rof
guard   jmp.b   $guard, <guard-22
        jmp.b   $guard, <guard-22
        jmp.b   $guard, <guard-22
imp     mov.i   #d, *0

        end
