# How the callback's cost grows: tracks.dat and periods.dat in the folder `data`, the picture as `output`.
set terminal svg size 900,360 font "sans,12" background "white"
set output output
set multiplot layout 1,2
set logscale xy
set grid
set key left top
set ylabel "microseconds"
set xlabel "stereo tracks (64 frames)"
set title "callback by tracks"
plot data."/tracks.dat" using 1:2 with linespoints title "median", "" using 1:3 with linespoints title "99.9 %", 1333 title "the period" dashtype 2
set xlabel "frames a period (64 tracks)"
set title "callback by period"
plot data."/periods.dat" using 1:2 with linespoints title "median", "" using 1:3 with linespoints title "99.9 %", x/48000*1e6 title "the period" dashtype 2
