;redcode-94
;name Chameleon
;author speciate
;strategy family: mutant
;strategy Rewrites itself after every pass over the core: it trebles the step of its bombing, which
;strategy keeps it coprime and changes the order of all hits, and changes between SPL and DAT bombs.
;assert (CORESIZE % 16 == 0) && (CORESIZE % 3 != 0) && (CORESIZE % 7 != 0) && (CORESIZE >= 160) && (MAXLENGTH >= 13)

first   equ     (16*7)
hits    equ     (CORESIZE/16-1)

        org     throw

throw   mov.i   $bomb, @aim
pace    add.ab  #first, $aim
left    djn.b   $throw, #hits
        mul.a   #3, $pace
        mov.ab  #hits, $left
        mov.ab  #first, $aim    ; back to the start, off the code by whole steps
        mov.i   $bomb, $hold
        mov.i   $other, $bomb
        mov.i   $hold, $other
        jmp.b   $throw
aim     dat.f   #0, #first
bomb    spl.b   #0, #0
other   dat.f   <-3, <-7
hold    dat.f   0, 0

        end
