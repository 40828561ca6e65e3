;redcode-94
;name Masonry
;author speciate
;strategy family: gate
;strategy Keeps laying the same brick into a gap below itself and shakes the gap beside it. What
;strategy comes up through the core, cell by cell, runs into a DAT. Many processes share the work.
;assert CORESIZE >= 20

        org     crew

crew    spl.b   #0, <crew-5
lay     mov.i   $brick, $crew-4
        jmp.b   $lay, <crew-5
brick   dat.f   <-6, <-7

        end
