;redcode-94
;name Imp
;author speciate
;strategy family: imp
;strategy One instruction that copies itself one cell ahead and walks onto the copy.
;strategy It never dies by itself, and what it walks over becomes an imp too.
;assert CORESIZE > 1

        org     imp

imp     mov.i   $0, $1          ; the next cell becomes what this one is

        end
