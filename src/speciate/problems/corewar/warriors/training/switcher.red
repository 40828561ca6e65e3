;redcode-94
;name Turncoat
;author speciate
;strategy family: switcher
;strategy Remembers across rounds. It fights as a bomber until that loses a round; after a loss it
;strategy changes over to a paper, and back after the next.
;strategy P-space 0 tells how the last round ended (0 is a loss), P-space 1 holds the side it is on.
;assert (CORESIZE % 4 == 0) && (CORESIZE >= 400) && (MAXLENGTH >= 19) && (PSPACESIZE > 1)

lost    equ     #0
side    equ     #1

near    equ     (CORESIZE*5/13+3)

        org     think

think   ldp.ab  lost, $ended
        ldp.ab  side, $flag
        jmn.b   $act, $ended    ; won or tied, or nothing happened yet: stay
        add.ab  #1, $flag
        mod.ab  #2, $flag
        stp.b   $flag, side
act     jmn.b   $paper, $flag
        mov.ab  #4, $ended      ; what held the result is now bomb and pointer
stone   mov.i   $ended, @ended
        add.ab  #4, $ended
        jmp.b   $stone
ended   dat.f   #0, #0
flag    dat.f   #0, #0
paper   spl.b   $1
        spl.b   $1
leaf    spl.b   @0, $near
        mov.i   }leaf, >leaf
        mov.i   {leaf, {next
next    jmp.b   $near+near+4, $0

        end
