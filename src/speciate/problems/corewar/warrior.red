;redcode-94
;name Seedling
;author speciate
;strategy Bombs every fourth cell with DAT, so that its own four instructions, which stand on the cells
;strategy between, are never hit: the simplest warrior that can win, and one that most changes make worse or better.
;assert CORESIZE % 4 == 0
step    EQU 4

        ORG aim
aim     ADD.AB #step, bomb      ; aim at the next cell
        MOV.I  bomb, @bomb      ; bomb it
        JMP    aim              ; for ever
bomb    DAT    #0, #0           ; bomb, and where the last one fell
        END
