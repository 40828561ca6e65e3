;redcode-94
;name Turnstile
;author speciate
;strategy family: gate
;strategy Waits on the spot and decrements a cell a little below itself in every cycle.
;strategy An imp that comes through it copies a damaged imp, and dies on what lies beyond.
;assert CORESIZE > 12

        org     wait

wait    jmp.b   $wait, <gate    ; one cell: the smallest target there is
gate    equ     (wait-4)

        end
