;redcode-94
;name Triad
;author speciate
;strategy family: switcher
;strategy Stone, paper and gate in turn: a lost round moves it on to the next of the three, any other
;strategy result keeps it. P-space 1 counts the losses.
;assert (CORESIZE % 4 == 0) && (CORESIZE >= 400) && (MAXLENGTH >= 21) && (PSPACESIZE > 1)

near    equ     (CORESIZE*4/13+3)

        org     think

think   ldp.ab  #0, $ended
        ldp.ab  #1, $losses
        jmn.b   $act, $ended
        add.ab  #1, $losses
        stp.b   $losses, #1
act     mod.ab  #3, $losses
        jmz.b   $stone, $losses
        djn.b   $gate, $losses  ; 2 becomes 1: gate; 1 becomes 0: on to the paper
paper   spl.b   $1
        spl.b   $1
leaf    spl.b   @0, $near
        mov.i   }leaf, >leaf
        mov.i   {leaf, {next
next    jmp.b   $near+near+4, $0
stone   mov.i   $rock, @rock
        add.ab  #4, $rock
        jmp.b   $stone
rock    dat.f   #0, #4
gate    jmp.b   $gate, <gate-9
ended   dat.f   #0, #0
losses  dat.f   #0, #0

        end
