;redcode-94
;name Lookout
;author speciate
;strategy family: scanner
;strategy Looks at every tenth cell. Where it finds something it burns the ten cells from there on,
;strategy and looks again right behind them. Its code lies between the cells it looks at, so that it
;strategy never finds itself.
;assert (CORESIZE % 10 == 0) && (CORESIZE >= 40) && (MAXLENGTH >= 7)

gap     equ     10

        org     scan

scan    add.ab  #gap, $bomb
look    jmz.f   $scan, @bomb    ; nothing there
        mov.ab  #gap, $left
burn    mov.i   $bomb, >bomb    ; ten steps of one: the pointer keeps its residue
left    djn.b   $burn, #gap
        jmp.b   $look
bomb    dat.f   #0, #2          ; two cells past itself: outside the code, modulo ten

        end
