;redcode-94
;name Seven Steps
;author speciate
;strategy family: spiral
;strategy A spiral of seven imps. Three SPLs make eight processes that run in step; one jump with a
;strategy post-incremented pointer sends each to the next line of a table. The eighth guards a gate.
;strategy The distance d solves 7d = 1 (mod core size); Fermat's theorem gives it for any core.
;assert (CORESIZE % 7 != 0) && (CORESIZE >= 200) && (MAXLENGTH >= 13)

rest    equ     (CORESIZE%7)
turns   equ     ((6*rest*rest*rest*rest*rest)%7)        ; turns * core size = -1 (mod 7)
d       equ     ((turns*CORESIZE+1)/7)

        org     start

start   spl.b   $1              ; 2
        spl.b   $1              ; 4
        spl.b   $1              ; 8 processes
        jmp.b   >0, $1          ; B is the pointer: the k-th process takes the k-th line
k       for     7
        jmp.b   $imp+(k-1)*d
        rof
guard   jmp.b   $guard, <guard-15
imp     mov.i   #d, *0          ; B leads through the imp's own A field

        end
