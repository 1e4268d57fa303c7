/// The parameters of an X32 and an M32 (firmware 4), as the "Unofficial X32/M32 OSC Remote
/// Protocol" (P. Maillot, 4.06 to 4.09) and desks' own scene files have them: addresses, types, ranges and
/// where they stand after a reset. `ParameterTree` says how it is read.
let x32Table = #"""
    /config/chlink |
        {1-2,3-4,5-6,7-8,9-10,11-12,13-14,15-16,17-18,19-20,21-22,23-24,25-26,27-28,29-30,31-32}
    /config/auxlink /config/fxlink | {1-2,3-4,5-6,7-8}
    /config/buslink | {1-2,3-4,5-6,7-8,9-10,11-12,13-14,15-16}
    /config/mtxlink | {1-2,3-4,5-6}
    /config/mute | {1..6}
    /config/linkcfg | hadly=1 eq=1 dyn=1 fdrmute=1
    /config/mono | mode:[LR+M,LCR] link
    /config/solo | level:level=0.75 source:[OFF,LR,LR+C,LRPFL,LRAFL,AUX56,AUX78]=1
        sourcetrim:lin(-18,18,0.5)=0.5 chmode:[PFL,AFL] busmode:[PFL,AFL] dcamode:[PFL,AFL] exclusive
        followsel followsolo dimatt:lin(-40,0,1)=0.5 dim mono delay delaytime:lin(0.3,500,0.1)
        masterctrl mute dimpfl
    /config/talk | enable=1 source:[INT,EXT]=1
    /config/talk/{A,B} | level:level=0.475 dim latch destmap:mask18
    /config/osc | level:level=0.1875 f1:log(20,20000,121)=0.233333 f2:log(20,20000,121)=0.566667
        fsel:[F1,F2] type:[SINE,PINK,WHITE]=1 dest:int
    /config/userrout/out /config/dp48/assign | {01..48}:int
    /config/userrout/in | {01..32}:int=n
    /config/routing | routswitch:[REC,PLAY]
    /config/routing/IN /config/routing/PLAY |
        {1-8,9-16,17-24,25-32}:[AN1-8,AN9-16,AN17-24,AN25-32,A1-8,A9-16,A17-24,A25-32,A33-40,A41-48,\
        B1-8,B9-16,B17-24,B25-32,B33-40,B41-48,CARD1-8,CARD9-16,CARD17-24,CARD25-32,UIN1-8,UIN9-16,\
        UIN17-24,UIN25-32]=0,1,2,3
        AUX:[AUX1-4,AN1-2,AN1-4,AN1-6,A1-2,A1-4,A1-6,B1-2,B1-4,B1-6,CARD1-2,CARD1-4,CARD1-6,UIN1-2,\
        UIN1-4,UIN1-6]
    /config/routing/AES50A /config/routing/AES50B |
        {1-8,9-16,17-24,25-32,33-40,41-48}:[AN1-8,AN9-16,AN17-24,AN25-32,A1-8,A9-16,A17-24,A25-32,\
        A33-40,A41-48,B1-8,B9-16,B17-24,B25-32,B33-40,B41-48,CARD1-8,CARD9-16,CARD17-24,CARD25-32,\
        OUT1-8,OUT9-16,P161-8,P169-16,AUX/CR,AUX/TB,UOUT1-8,UOUT9-16,UOUT17-24,UOUT25-32,UOUT33-40,\
        UOUT41-48,UIN1-8,UIN9-16,UIN17-24,UIN25-32]=20,21,22,23,24,25
    /config/routing/CARD |
        {1-8,9-16,17-24,25-32}:[AN1-8,AN9-16,AN17-24,AN25-32,A1-8,A9-16,A17-24,A25-32,A33-40,A41-48,\
        B1-8,B9-16,B17-24,B25-32,B33-40,B41-48,CARD1-8,CARD9-16,CARD17-24,CARD25-32,OUT1-8,OUT9-16,\
        P161-8,P169-16,AUX/CR,AUX/TB,UOUT1-8,UOUT9-16,UOUT17-24,UOUT25-32,UOUT33-40,UOUT41-48,UIN1-8,\
        UIN9-16,UIN17-24,UIN25-32]=0,1,2,3
    /config/routing/OUT |
        1-4:[AN1-4,AN9-12,AN17-20,AN25-28,A1-4,A9-12,A17-20,A25-28,A33-36,A41-44,B1-4,B9-12,B17-20,\
        B25-28,B33-36,B41-44,CARD1-4,CARD9-12,CARD17-20,CARD25-28,OUT1-4,OUT9-12,P161-4,P169-12,\
        AUX/CR,AUX/TB,UOUT1-4,UOUT9-12,UOUT17-20,UOUT25-28,UOUT33-36,UOUT41-44,UIN1-4,UIN9-12,\
        UIN17-20,UIN25-28]=20
        5-8:[AN5-8,AN13-16,AN21-24,AN29-32,A5-8,A13-16,A21-24,A29-32,A37-40,A45-48,B5-8,B13-16,\
        B21-24,B29-32,B37-40,B45-48,CARD5-8,CARD13-16,CARD21-24,CARD29-32,OUT5-8,OUT13-16,P165-8,\
        P1613-16,AUX/CR,AUX/TB,UOUT5-8,UOUT13-16,UOUT21-24,UOUT29-32,UOUT37-40,UOUT45-48,UIN5-8,\
        UIN13-16,UIN21-24,UIN29-32]=20
        9-12:[AN1-4,AN9-12,AN17-20,AN25-28,A1-4,A9-12,A17-20,A25-28,A33-36,A41-44,B1-4,B9-12,\
        B17-20,B25-28,B33-36,B41-44,CARD1-4,CARD9-12,CARD17-20,CARD25-28,OUT1-4,OUT9-12,P161-4,\
        P169-12,AUX/CR,AUX/TB,UOUT1-4,UOUT9-12,UOUT17-20,UOUT25-28,UOUT33-36,UOUT41-44,UIN1-4,\
        UIN9-12,UIN17-20,UIN25-28]=21
        13-16:[AN5-8,AN13-16,AN21-24,AN29-32,A5-8,A13-16,A21-24,A29-32,A37-40,A45-48,B5-8,B13-16,\
        B21-24,B29-32,B37-40,B45-48,CARD5-8,CARD13-16,CARD21-24,CARD29-32,OUT5-8,OUT13-16,P165-8,\
        P1613-16,AUX/CR,AUX/TB,UOUT5-8,UOUT13-16,UOUT21-24,UOUT29-32,UOUT37-40,UOUT45-48,UIN5-8,\
        UIN13-16,UIN21-24,UIN29-32]=21
    /config/userctrl/{A,B,C} | color:colour=6,2,3
    /config/userctrl/{A,B,C}/enc | {1..4}:text=-
    /config/userctrl/{A,B,C}/btn | {5..12}:text=-
    /config/tape | gainL:lin(-6,24,0.5)=0.2 gainR:lin(-6,24,0.5)=0.2 autoplay=1
    /config/amixenable | {X,Y}
    /config/dp48 | scope:mask4 broadcast:int aesAB:[AESA,AESB]
    /config/dp48/link | {01..24}:int
    /config/dp48/grpname | {01..12}:text
    /ch/{01..32}/config | name:text icon:int=1 color:colour=3 source:int=n
    /ch/{01..32}/delay /outputs/main/{01..16}/delay | on time:lin(0.3,500,0.1)
    /ch/{01..32}/preamp | trim:lin(-18,18,0.25)=0.5 invert hpon hpslope:[12,18,24]=2
        hpf:log(20,400,101)
    /ch/{01..32}/gate | on mode:[EXP2,EXP3,EXP4,GATE,DUCK]=3 thr:lin(-80,0,0.5) range:lin(3,60,1)=1.0
        attack:lin(0,120,1)=0.083333 hold:log(0.02,2000,101)=0.68 release:log(5,4000,101)=0.59
        keysrc:int
    /ch/{01..32}/gate/filter /ch/{01..32}/dyn/filter /bus/{01..16}/dyn/filter
        /mtx/{01..06}/dyn/filter /main/st/dyn/filter /main/m/dyn/filter | on
        type:[LC6,LC12,HC6,HC12,1.0,2.0,3.0,5.0,10.0]=6 f:log(20,20000,201)=0.565
    /ch/{01..32}/dyn | on mode:[COMP,EXP] det:[PEAK,RMS] env:[LIN,LOG]=1 thr:lin(-60,0,0.5)=1.0
        ratio:[1.1,1.3,1.5,2.0,2.5,3.0,4.0,5.0,7.0,10,20,100]=5 knee:lin(0,5,1)=0.2
        mgain:lin(0,24,0.5) attack:lin(0,120,1)=0.083333 hold:log(0.02,2000,101)=0.54
        release:log(5,4000,101)=0.51 pos:[PRE,POST]=1 keysrc:int mix:lin(0,100,5)=1.0 auto
    /ch/{01..32}/insert | on pos:[PRE,POST]=1
        sel:[OFF,FX1L,FX1R,FX2L,FX2R,FX3L,FX3R,FX4L,FX4R,FX5L,FX5R,FX6L,FX6R,FX7L,FX7R,FX8L,FX8R,\
        AUX1,AUX2,AUX3,AUX4,AUX5,AUX6]
    /ch/{01..32}/eq /auxin/{01..08}/eq | on=1
    /ch/{01..32}/eq/{1..4} /auxin/{01..08}/eq/{1..4} /fxrtn/{01..08}/eq/{1..4} |
        type:[LCut,LShv,PEQ,VEQ,HShv,HCut]=2,2,2,4 f:log(20,20000,201)=0.265,0.465,0.665,0.9
        g:lin(-15,15,0.25)=0.5 q:log(10,0.3,72)=0.464789
    /ch/{01..32}/mix /auxin/{01..08}/mix /fxrtn/{01..08}/mix | on=1 fader:level st=1
        pan:lin(-100,100,2)=0.5 mono mlevel:level
    /ch/{01..32}/mix/{01..16} /auxin/{01..08}/mix/{01..16} /fxrtn/{01..08}/mix/{01..16}
        /bus/{01..16}/mix/{01..06} /main/st/mix/{01..06} /main/m/mix/{01..06} | on=1 level:level
    /ch/{01..32}/mix/{01,03,05,07,09,11,13,15} /auxin/{01..08}/mix/{01,03,05,07,09,11,13,15} |
        pan:lin(-100,100,2)=0.5 type:[IN/LC,<-EQ,EQ->,PRE,POST,GRP]=3,3,3,3,3,3,4,4 panFollow:int
    /ch/{01..32}/grp /auxin/{01..08}/grp /fxrtn/{01..08}/grp /bus/{01..16}/grp /mtx/{01..06}/grp
        /main/st/grp /main/m/grp | dca:mask8 mute:mask6
    /ch/{01..32}/automix | group:[OFF,X,Y] weight:lin(-12,12,0.5)=0.5
    /auxin/{01..08}/config | name:text icon:int=1 color:colour=3 source:int=n+32
    /auxin/{01..08}/preamp | trim:lin(-18,18,0.25)=0.5 invert
    /fxrtn/{01..08}/config | name:text icon:int=61 color:colour=5
    /fxrtn/{01..08}/eq /bus/{01..16}/eq /mtx/{01..06}/eq /main/st/eq /main/m/eq /-stat/osc | on
    /fxrtn/{01..08}/mix/{01,03,05,07,09,11,13,15} | pan:lin(-100,100,2)=0.5
        type:[IN/LC,<-EQ,EQ->,PRE,POST,GRP]=4,4,4,4,4,4,4,4 panFollow:int
    /bus/{01..16}/config | name:text icon:int=71 color:colour=6
    /bus/{01..16}/dyn | on mode:[COMP,EXP] det:[PEAK,RMS]=1 env:[LIN,LOG]=1 thr:lin(-60,0,0.5)=1.0
        ratio:[1.1,1.3,1.5,2.0,2.5,3.0,4.0,5.0,7.0,10,20,100]=5 knee:lin(0,5,1)=0.2
        mgain:lin(0,24,0.5) attack:lin(0,120,1)=0.083333 hold:log(0.02,2000,101)=0.54
        release:log(5,4000,101)=0.51 pos:[PRE,POST]=1 keysrc:int mix:lin(0,100,5)=1.0 auto
    /bus/{01..16}/insert /mtx/{01..06}/insert /main/st/insert /main/m/insert | on pos:[PRE,POST]
        sel:[OFF,FX1L,FX1R,FX2L,FX2R,FX3L,FX3R,FX4L,FX4R,FX5L,FX5R,FX6L,FX6R,FX7L,FX7R,FX8L,FX8R,\
        AUX1,AUX2,AUX3,AUX4,AUX5,AUX6]
    /bus/{01..16}/eq/{1..6} | type:[LCut,LShv,PEQ,VEQ,HShv,HCut]=1,2,2,2,2,4
        f:log(20,20000,201)=0.2,0.3,0.465,0.665,0.8,0.9 g:lin(-15,15,0.25)=0.5
        q:log(10,0.3,72)=0.464789
    /bus/{01..16}/mix | on=1 fader:level st pan:lin(-100,100,2)=0.5 mono mlevel:level
    /bus/{01..16}/mix/{01,03,05} /main/st/mix/{01,03,05} /main/m/mix/{01,03,05} |
        pan:lin(-100,100,2)=0.5 type:[IN/LC,<-EQ,EQ->,PRE,POST]=4,4,4 panFollow:int
    /mtx/{01..06}/config | name:text icon:int=72 color:colour=5
    /mtx/{01..06}/preamp | invert
    /mtx/{01..06}/dyn /main/st/dyn /main/m/dyn | on mode:[COMP,EXP] det:[PEAK,RMS]=1 env:[LIN,LOG]=1
        thr:lin(-60,0,0.5)=1.0 ratio:[1.1,1.3,1.5,2.0,2.5,3.0,4.0,5.0,7.0,10,20,100]=5
        knee:lin(0,5,1)=0.2 mgain:lin(0,24,0.5) attack:lin(0,120,1)=0.083333
        hold:log(0.02,2000,101)=0.54 release:log(5,4000,101)=0.51 pos:[PRE,POST]=1
        mix:lin(0,100,5)=1.0 auto
    /mtx/{01..06}/eq/{1..6} /main/st/eq/{1..6} /main/m/eq/{1..6} |
        type:[LCut,LShv,PEQ,VEQ,HShv,HCut,BU6,BU12,BS12,LR12,BU18,BU24,BS24,LR24]=1,2,2,2,2,4
        f:log(20,20000,201)=0.2,0.3,0.465,0.665,0.8,0.9 g:lin(-15,15,0.25)=0.5
        q:log(10,0.3,72)=0.464789
    /mtx/{01..06}/mix /main/m/mix /dca/{1..8} | on=1 fader:level
    /main/st/config | name:text icon:int=66 color:colour=7
    /main/st/mix | on=1 fader:level pan:lin(-100,100,2)=0.5
    /main/m/config | name:text icon:int=67 color:colour=7
    /dca/{1..8}/config | name:text icon:int=1 color:colour
    /fx/{1..4} |
        type:[HALL,AMBI,RPLT,ROOM,CHAM,PLAT,VREV,VRM,GATE,RVRS,DLY,3TAP,4TAP,CRS,FLNG,PHAS,DIMC,FILT,\
        ROTA,PAN,SUB,D/RV,CR/R,FL/R,D/CR,D/FL,MODD,GEQ2,GEQ,TEQ2,TEQ,DES2,DES,P1A,P1A2,PQ5,PQ5S,WAVD,\
        LIM,CMB,CMB2,FAC,FAC1M,FAC2,LEC,LEC2,ULC,ULC2,ENH2,ENH,EXC2,EXC,IMG,EDI,SON,AMP2,AMP,DRV2,\
        DRV,PIT2,PIT]=0,10,13,0
    /fx/{1..4}/source |
        {l,r}:[INS,MIX1,MIX2,MIX3,MIX4,MIX5,MIX6,MIX7,MIX8,MIX9,MIX10,MIX11,MIX12,MIX13,MIX14,MIX15,\
        MIX16,M/C]=13,14,15,16
    /fx/{5..8} |
        type:[GEQ2,GEQ,TEQ2,TEQ,DES2,DES,P1A,P1A2,PQ5,PQ5S,WAVD,LIM,FAC,FAC1M,FAC2,LEC,LEC2,ULC,ULC2,\
        ENH2,ENH,EXC2,EXC,IMG,EDI,SON,AMP2,AMP,DRV2,DRV,PHAS,FILT,PAN,SUB]
    /fx/{1..8}/par | {01..64}:part=0.5
    /outputs/main/{01..16} | src:int=4,5,6,7,8,9,10,11,12,13,14,15,16,17,1,2
        pos:[IN/LC,IN/LC+M,<-EQ,<-EQ+M,EQ->,EQ->+M,PRE,PRE+M,POST]=8 invert
    /outputs/aux/{01..06} | src:int pos:[IN/LC,IN/LC+M,<-EQ,<-EQ+M,EQ->,EQ->+M,PRE,PRE+M,POST]=8
        invert
    /outputs/p16/{01..16} | src:int=26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41
        pos:[IN/LC,IN/LC+M,<-EQ,<-EQ+M,EQ->,EQ->+M,PRE,PRE+M,POST]=2 invert
    /outputs/p16/{01..16}/iQ | group:[OFF,A,B] speaker:[none,iQ8,iQ10,iQ12,iQ15,iQ15B,iQ18B]
        eq:[Linear,Live,Speech,Playback,User] model:int
    /outputs/aes/{01..02} | src:int=1,2 pos:[IN/LC,IN/LC+M,<-EQ,<-EQ+M,EQ->,EQ->+M,PRE,PRE+M,POST]=8
        invert
    /outputs/rec/{01..02} | src:int=1,2 pos:[IN/LC,IN/LC+M,<-EQ,<-EQ+M,EQ->,EQ->+M,PRE,PRE+M,POST]=2
    /headamp/{000..127} | gain:lin(-12,60,0.5)=0.166667 phantom
    /-ha/{00..39} | index:int=n
    /-prefs | style:text=ablesque bright:lin(10,100,5)=0.777778 lcdcont:lin(0,100,2)=0.5
        ledbright:lin(10,100,5)=0.666667 lamp:lin(10,100,10)=0.444444 lampon clockrate:[48K,44K1]
        clocksource:[INT,AES50A,AES50B,Exp_Card] confirm_general=1 confirm_overwrite=1
        confirm_sceneload=1 viewrtn selfollowsbank scene_advance safe_masterlevels haflags:mask4
        autosel show_control:[CUES,SCENES,SNIPPETS] clockmode:[24h,12h] hardmute dcamute
        invertmutes:[NORM,INV] name:text=X32-02-4A-53 rec_control:[USB,XLIVE] fastFaders:int
    /-prefs/ip | dhcp
    /-prefs/ip/addr | {0..3}:int=192,168,0,64
    /-prefs/ip/mask | {0..3}:int=255,255,255,0
    /-prefs/ip/gateway | {0..3}:int=192,168,0,1
    /-prefs/remote | enable protocol:[MC,HUI,CC] port:[MIDI,CARD,RTP] ioenable:mask14
    /-prefs/card | UFifc:[FW,USB] UFmode:[32/32,16/16,32/8,8/32]
        USBmode:[32/32,16/16,32/8,8/32,8/8,2/2] ADATwc:[IN,OUT] ADATsync:[WC,ADAT1,ADAT2,ADAT3,ADAT4]
        MADImode:[56,64] MADIin:[1-32,9-40,17-48,25-56,33-64]
        MADIout:[OFF,1-32,9-40,17-48,25-56,33-64] MADIsrc:[OFF,OPT,COAX,BOTH]
        URECtracks:[32Ch,16Ch,8Ch] URECplayb:[SD,USB] URECrout:[REC,PLAY,AUTO] URECsdsel:[SD1,SD2]
    /-prefs/rta | visibility:[OFF,25%,30%,35%,40%,45%,50%,55%,60%,65%,70%,75%,80%] gain:lin(0,60,6)
        autogain source:int pos:[PRE,POST] mode:[BAR,SPEC] option:mask6 options:mask6 det:[RMS,PEAK]
        decay:log(0.25,16,19) peakhold:[OFF,1,2,3,4,5,6,7,8]
    /-prefs/iQ/{01..16} | iQmodel:[none,iQ8,iQ10,iQ12,iQ15,iQ15B,iQ18B]
        iQeqset:[Linear,Live,Speech,Playback,User] iQsound:int
    /-prefs/key | layout:[QWERTY,QWERTZ,AZERTY,ABCDEF] {00..99}:text
    /-stat | selidx:int chfaderbank:int grpfaderbank:int sendsonfader bussendbank:int eqband:int solo
        keysolo userbank:int autosave=1 lock:int usbmounted remote rtamodeeq:[BAR,SPEC]
        rtamodegeq:[BAR,SPEC] rtaeqpre rtageqpost rtasource:int xcardtype:int=2 xcardsync=1 geqonfdr
        geqpos:int dcaspill:int
    /-stat/screen | screen:[CHAN,METERS,ROUTE,SETUP,LIB,FX,MON,USB,SCENE,ASSIGN,LOCK] mutegrp utils
    /-stat/screen/CHAN | page:[HOME,CONFIG,GATE,DYN,EQ,MIX,MAIN]
    /-stat/screen/METER | page:[CHANNEL,MIXBUS,AUX/FX,IN/OUT,RTA]
    /-stat/screen/ROUTE | page:[HOME,AES50A,AES50B,CARDOUT,XLROUT,ANAOUT,AUXOUT,P16OUT,USER]
    /-stat/screen/SETUP | page:[GLOB,CONF,REMOTE,NETW,NAMES,PREAMPS,CARD]
    /-stat/screen/LIB | page:[CHAN,EFFECT,ROUTE]
    /-stat/screen/FX | page:int
    /-stat/screen/MON | page:[MONITOR,TALKA,TALKB,OSC]
    /-stat/screen/USB | page:[HOME,CONFIG]
    /-stat/screen/SCENE | page:[HOME,SCENES,BITS,PARSAFE,CHNSAFE,MIDI]
    /-stat/screen/ASSIGN | page:[HOME,SETA,SETB,SETC]
    /-stat/solosw | {01..80}
    /-stat/aes50 | state:mask5 {A,B}:text
    /-stat/tape | state:[STOP,PPAUSE,PLAY,RPAUSE,RECORD,FF,REW] file:text etime:int rtime:int
    /-stat/talk | {A,B}
    /-stat/urec | state:[STOP,PPAUSE,PLAY,REC] etime:int rtime:int
    /-stat/userpar/{01..36} | value:int
    /-action | setip:int initall:int initlib:int initshow:int savestate:int undopt:int doundo:int
        playtrack:int newscreen:int clearsolo:int setprebus:int setsrate:int setrtasrc:int
        recselect:int gocue:int goscene:int gosnippet:int selsession:int delsession:int selmarker:int
        delmarker:int savemarker:int addmarker:int setposition:int clearalert:int formatcard:int
        setclock:text
    /-undo | time:text
    /-show/prepos | current:int=-1
    /-show/showfile/show | name:text inputs:int mxsends:int mxbuses:int console:int chan16:int
        chan32:int return:int buses:int lrmtxdca:int effects:int
    /-show/showfile/cue/{000..499} | numb:int name:text skip:int scene:int=-1 bit:int=-1 miditype:int
        midichan:int=1 midipara1:int midipara2:int
    /-show/showfile/scene/{000..099} | name:text notes:text safes:mask9 hasdata:int
    /-show/showfile/snippet/{000..099} | name:text eventtyp:mask25 channels:mask32 auxbuses:mask32
        maingrps:mask16 hasdata:int
    /-libs/{ch,fx,r,mon}/{001..100} | pos:int=n name:text type:int flags:mask16 hasdata:int
    /-urec | sessionmax:int markermax:int sessionlen:int sessionpos:int markerpos:int
        batterystate:[NONE,GOOD,LOW] srate:int tracks:[0,8,16,32] sessionspan:int sessionoffs:int
        sd1state:[NONE,READY,PROTECT,ERROR] sd2state:[NONE,READY,PROTECT,ERROR] sd1info:text
        sd2info:text errormessage:text errorcode:int
    /-urec/session/{001..100} | name:text
    /-urec/marker/{001..100} | time:int
    /-usb | path:text title:text
    /-usb/dir | dirpos:int maxpos:int
    /-usb/dir/{000..999} | name:text type:text
    /-insert | fx{1..8}{L,R}:int=-1 aux{1..6}:int=-1
    """#
