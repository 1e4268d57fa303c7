/// The parameters of an X-Air (XR18, firmware 1.17), as Behringer's "X AIR Mixer Series Remote Control
/// Protocol" and desks' own scene files have them: addresses, types, ranges and where they stand after a
/// reset. `ParameterTree` says how it is read.
let xAirTable = #"""
    /config/chlink | {1-2,3-4,5-6,7-8,9-10,11-12,13-14,15-16}
    /config/buslink | {1-2,3-4,5-6}
    /config/linkcfg | preamp=1 eq=1 dyn=1 fdrmute=1
    /config/solo | level:level=0.75
        source:[OFF,LR,LRPFL,LRAFL,AUX,U1718,Bus1,Bus2,Bus3,Bus4,Bus5,Bus6,Bus12,Bus34,Bus56]=3
        sourcetrim:lin(-18,18,0.5)=0.5 chmode:[PFL,AFL] busmode:[PFL,AFL] dimatt:lin(-40,0,1)=0.5 dim
        mono mute dimpfl
    /config/amixenable /config/amixlock | {X,Y}
    /config/mute | {1..4}
    /ch/{01..16}/config | name:text color:colour=3 insrc:int=n-1 rtnsrc:int=n-1
    /ch/{01..16}/preamp | rtntrim:lin(-18,18,0.25)=0.5 rtnsw invert hpon hpf:log(20,400,101)
    /ch/{01..16}/gate | on mode:[GATE,EXP2,EXP3,EXP4,DUCK] thr:lin(-80,0,0.5) range:lin(3,60,1)=1.0
        attack:lin(0,120,1)=0.008333 hold:log(0.02,2000,101)=0.88 release:log(5,4000,101)=0.79
        keysrc:int
    /ch/{01..16}/gate/filter /ch/{01..16}/dyn/filter /bus/{1..6}/dyn/filter /lr/dyn/filter | on
        type:[LC6,LC12,HC6,HC12,1.0,2.0,3.0,5.0,10.0]=6 f:log(20,20000,201)=0.565
    /ch/{01..16}/dyn /bus/{1..6}/dyn | on mode:[COMP,EXP] det:[PEAK,RMS] env:[LIN,LOG]=1
        thr:lin(-60,0,0.5)=1.0 ratio:[1.1,1.3,1.5,2.0,2.5,3.0,4.0,5.0,7.0,10,20,100]=5
        knee:lin(0,5,1)=0.2 mgain:lin(0,24,0.5) attack:lin(0,120,1)=0.083333
        hold:log(0.02,2000,101)=0.54 release:log(5,4000,101)=0.51 mix:lin(0,100,5)=1.0 keysrc:int auto
    /ch/{01..16}/insert /bus/{1..6}/insert | on fxslot:[OFF,Fx1A,Fx1B,Fx2A,Fx2B,Fx3A,Fx3B,Fx4A,Fx4B]
        sel:int
    /ch/{01..16}/eq /rtn/aux/eq /rtn/{1..4}/eq | on=1
    /ch/{01..16}/eq/{1..4} /rtn/aux/eq/{1..4} /rtn/{1..4}/eq/{1..4} |
        type:[LCut,LShv,PEQ,VEQ,HShv,HCut]=2,2,2,4 f:log(20,20000,201)=0.265,0.465,0.665,0.9
        g:lin(-15,15,0.25)=0.5 q:log(10,0.3,72)=0.464789
    /ch/{01..16}/mix /rtn/aux/mix | on=1 fader:level lr=1 pan:lin(-100,100,2)=0.5
    /ch/{01..16}/mix/{01..10} /rtn/aux/mix/{01..10} /rtn/{1..4}/mix/{01..10} | level:level grpon
        tap:[IN,PREEQ,POSTEQ,PRE,POST,GRP]=4
    /ch/{01..16}/mix/{01,03,05} /rtn/aux/mix/{01,03,05} /rtn/{1..4}/mix/{01,03,05} |
        pan:lin(-100,100,2)=0.5
    /ch/{01..16}/grp /rtn/aux/grp /rtn/{1..4}/grp /bus/{1..6}/grp /fxsend/{1..4}/grp | dca:mask4
        mute:mask4
    /ch/{01..16}/automix | group:[OFF,X,Y] weight:lin(-12,12,0.5)=0.5
    /rtn/aux/config | name:text color:colour=1 rtnsrc:int=8
    /rtn/aux/preamp /rtn/{1..4}/preamp | rtntrim:lin(-18,18,0.25)=0.5 rtnsw
    /rtn/{1..4}/config | name:text color:colour=2 rtnsrc:int=n-1
    /rtn/{1..4}/mix | on=1 fader:level=0.749756 lr=1 pan:lin(-100,100,2)=0.5
    /bus/{1..6}/config | name:text color:colour=3
    /bus/{1..6}/eq /lr/eq | on=1 mode:[PEQ,GEQ,TEQ]
    /bus/{1..6}/eq/{1..6} /lr/eq/{1..6} | type:[LCut,LShv,PEQ,VEQ,HShv,HCut]=1,2,2,2,2,4
        f:log(20,20000,201)=0.2,0.3,0.465,0.665,0.8,0.9 g:lin(-15,15,0.25)=0.5
        q:log(10,0.3,72)=0.464789
    /bus/{1..6}/geq /lr/geq |
        {20,25,31.5,40,50,63,80,100,125,160,200,250,315,400,500,630,800,1k,1k25,1k6,2k,2k5,3k15,4k,\
        5k,6k3,8k,10k,12k5,16k,20k}:lin(-15,15,0.5)=0.5
    /bus/{1..6}/mix | on=1 fader:level lr pan:lin(-100,100,2)=0.5
    /fxsend/{1..4}/config | name:text color:colour=4
    /fxsend/{1..4}/mix /dca/{1..4} | on=1 fader:level=0.749756
    /lr/config | name:text color:colour=6
    /lr/dyn | on mode:[COMP,EXP] det:[PEAK,RMS] env:[LIN,LOG]=1 thr:lin(-60,0,0.5)=1.0
        ratio:[1.1,1.3,1.5,2.0,2.5,3.0,4.0,5.0,7.0,10,20,100]=5 knee:lin(0,5,1)=0.2
        mgain:lin(0,24,0.5) attack:lin(0,120,1)=0.083333 hold:log(0.02,2000,101)=0.54
        release:log(5,4000,101)=0.51 mix:lin(0,100,5)=1.0 auto
    /lr/insert | on fxslot:[OFF,Fx1,Fx2,Fx3,Fx4] sel:int
    /lr/mix | on=1 fader:level pan:lin(-100,100,2)=0.5
    /dca/{1..4}/config | name:text color:colour=8
    /fx/{1..4} |
        type:[HALL,AMBI,RPLT,ROOM,CHAM,PLAT,VREV,VRM,GATE,RVRS,DLY,3TAP,4TAP,CRS,FLNG,PHAS,DIMC,FILT,\
        ROTA,PAN,SUB,D/RV,CR/R,FL/R,D/CR,D/FL,MODD,GEQ2,GEQ,TEQ2,TEQ,DES2,DES,P1A,P1A2,PQ5,PQ5S,WAVD,\
        LIM,CMB,CMB2,FAC,FAC1M,FAC2,LEC,LEC2,ULC,ULC2,ENH2,ENH,EXC2,EXC,IMG,EDI,SON,AMP2,AMP,DRV2,\
        DRV,PIT2,PIT]=7,0,26,16 insert
    /fx/{1..4}/par | {01..64}:part
    /headamp/{01..16} | gain:lin(-12,60,0.5)=0.166667
    /headamp/{17..24} | gain:lin(-12,20,0.5)=0.375
    /headamp/{01..24} | phantom
    /routing/main/{01,02} | src:[LR,MON,U0102,U0304,U0506,U0708,U0910,U1112,U1314,U1516,U1718]=0
    /routing/aux/{01..06} |
        src:[Ch01,Ch02,Ch03,Ch04,Ch05,Ch06,Ch07,Ch08,Ch09,Ch10,Ch11,Ch12,Ch13,Ch14,Ch15,Ch16,AuxL,\
        AuxR,Fx1L,Fx1R,Fx2L,Fx2R,Fx3L,Fx3R,Fx4L,Fx4R,Bus1,Bus2,Bus3,Bus4,Bus5,Bus6,Send1,Send2,Send3,\
        Send4,L,R,U01,U02,U03,U04,U05,U06,U07,U08,U09,U10,U11,U12,U13,U14,U15,U16,U17,U18]=26,27,28,\
        29,30,31 pos:[AIN,AIN+M,IN,IN+M,PREEQ,PREEQ+M,POSTEQ,POSTEQ+M,PRE,PRE+M,POST]=10
    /routing/p16/{01..16} |
        src:[Ch01,Ch02,Ch03,Ch04,Ch05,Ch06,Ch07,Ch08,Ch09,Ch10,Ch11,Ch12,Ch13,Ch14,Ch15,Ch16,AuxL,\
        AuxR,Fx1L,Fx1R,Fx2L,Fx2R,Fx3L,Fx3R,Fx4L,Fx4R,Bus1,Bus2,Bus3,Bus4,Bus5,Bus6,Send1,Send2,Send3,\
        Send4,L,R,U01,U02,U03,U04,U05,U06,U07,U08,U09,U10,U11,U12,U13,U14,U15,U16,U17,U18]=0,1,2,3,4,\
        5,6,7,8,9,10,11,12,13,14,15
        pos:[AIN,AIN+M,IN,IN+M,PREEQ,PREEQ+M,POSTEQ,POSTEQ+M,PRE,PRE+M,POST]=3
    /routing/usb/{01..18} |
        src:[Ch01,Ch02,Ch03,Ch04,Ch05,Ch06,Ch07,Ch08,Ch09,Ch10,Ch11,Ch12,Ch13,Ch14,Ch15,Ch16,AuxL,\
        AuxR,Fx1L,Fx1R,Fx2L,Fx2R,Fx3L,Fx3R,Fx4L,Fx4R,Bus1,Bus2,Bus3,Bus4,Bus5,Bus6,Send1,Send2,Send3,\
        Send4,L,R]=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
        pos:[AIN,AIN+M,IN,IN+M,PREEQ,PREEQ+M,POSTEQ,POSTEQ+M,PRE,PRE+M,POST]
    /-snap | name:text index:int=1 load:int save:int delete:int
    /-snap/{01..64} | name:text scope:text=+++++++++++++++++++++++++++++++++++++++++++++++++++++++++++
    /-stat | selidx:int autosave=1 keysolo:int netmode:int=1 solo usbmounted linkcfg:int
    /-stat/networks/{01..10} | flags:int ssid:text strength:int
    /-stat/rta | source:int=31 pos:[PRE,POST]
    /-stat/solosw | {01..54}
    /-stat/tape | etime:int rtime:int file:text state:[STOP,PPAUSE,PLAY,RPAUSE,REC,FF,REW]
    /-stat/usb/{001..200} | name:text type:int
    /-stat/usb | count:int path:text
    /-prefs | name:text=XR18-00-00-00 clockrate:[48K,44K1] clocksource:int dcamute hardmute ponmute
        playnext usbifcmode:[18x18,2x2] midiconfig:int
    /-prefs/rta | decay:part=0.5 det:[PEAK,RMS]
    /-prefs/ap | channel:int=6 key:text security:[OPEN,WEP] ssid:text
    /-prefs/is | mode:[DHCP,STATIC] security:[OPEN,WEP,WPA,WPA2] ssid:text key:text
    /-prefs/is/{addr,mask,gateway} /-prefs/lan/{addr,mask,gateway} | {0..3}:int
    /-prefs/lan | mode:[STATIC,DHCP,DHCPS]=1
    /-action | clearsolo:int initall:int savestate:int setclock:text updnet:int mididump:int
        wlanscan:int
    /-show/showfile/show | name:text
    """#
