;redcode-94
;name Nomads
;author speciate
;strategy family: replicator
;strategy A paper of two cells for small cores: four processes carry their code on to a place further
;strategy up and leave a trail of bombs. It lives by being elsewhere.
;assert CORESIZE >= 40

away    equ     (CORESIZE*3/8+3)

        org     start

start   spl.b   $1
        spl.b   $1              ; four in step
tent    spl.b   @0, $away
        mov.i   }tent, >tent    ; four cells: these two, the next, and the empty one behind
        mov.i   $1, <tent       ; an empty cell, onto what was just left behind

        end
