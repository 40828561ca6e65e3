;redcode-94
;name Eyelet
;author speciate
;strategy family: scanner
;strategy A scanner of four cells: the test's own B field is the eye. It looks at every fifth
;strategy cell and copies the empty cell past its code over what it finds.
;assert (CORESIZE % 5 == 0) && (CORESIZE >= 20)

        org     scan

scan    add.ab  #5, $eye
eye     jmz.f   $scan, $3       ; looks at the residue of the one free cell in five
        mov.i   $2, @eye        ; two ahead lies an empty cell
        jmp.b   $scan

        end
