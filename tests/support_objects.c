// Results of apgsearch.
#include "support_objects.h"

const char *const known_codes[] = {
    "xs4_33",
    "xp2_7",
    "xs6_696",
    "xq4_153",
    "xs7_2596",
    "xs5_253",
    "xs6_356",
    "xs4_252",
    "xs8_6996",
    "xp2_318c",
    "xs7_25ac",
    "xp2_7e",
    "xs12_g8o653z11",
    "xs6_25a4",
    "xs8_25ak8",
    "xs14_g88m952z121",
    "xs10_g8o652z01",
    "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401",
    "xs8_69ic",
    "xs7_178c",
    "xp15_4r4z4r4",
    "xq4_6frc",
    "xs6_39c",
    "xs16_g88m996z1221",
    "xs8_35ac",
    "xs18_rhe0ehr",
    "xs14_39e0e93",
    "xp2_rhewehr",
    "xs14_69bqic",
    "xs12_o4q552z01",
    "xq4_27dee6",
    "xs14_6970796",
    "xs9_31ego",
    "xs6_bd",
    "xs8_312ko",
    "xs14_4a9m88gzx121",
    "xs8_3pm",
    "xs14_g88b96z123",
    "xp5_idiidiz01w1",
    "xs18_69is0si96",
    "xs16_259e0e952",
    "xs9_4aar",
    "xs24_g88611688gz122cggc221",
    "xs10_35ako",
    "xs9_178ko",
    "xs12_raar",
    "xs11_g8o652z11",
    "xp8_gk2gb3z11",
    "xs12_651i4ozx11",
    "xs9_25ako",
    "xp6_ccb7w66z066",
    "xs12_g4q453z11",
    "xq4_27deee6",
    "xs8_178k8",
    "xs20_3lkkl3z32w23",
    "xs10_xg853z321",
    "xs14_wggca52z2521",
    "xs12_641j4czx11",
    "xs16_3hu0uh3",
    "xs14_i5q453z11",
    "xs16_0g8ka952z3421",
    "xp4_ssj3744zw3",
    "xs13_31ege13",
    "xs20_g8861688gz01168611",
    "xp2_2a54",
    "xs15_354cgc453",
    "xs16_j1u0696z11",
    "xs12_4ai3s4zx1",
    "xp2_8ki1688gzx3421",
    "xs11_g0s453z11",
    "xs16_wggca53z6521",
    "xs22_69b88cz69d113",
    "xs28_0g8ka9m88gz122dia521",
    "xp2_8kihewehik8z8k44owo44k8zw121w121",
    "xs32_c8970798cz319e0e913",
    "xs10_32qr",
    "xs18_c89n871z311",
    "xp2_31egge13",
    "xs14_j1u066z11",
    "xs32_g88m99m88gz122diid221",
    "xs14_69la4ozx11",
    "xs12_178br",
    "xs16_69egmiczx1",
    "xs11_g0s253z11",
    "xs11_ggm952z1",
    "xs10_g8ka52z01",
    "xs11_69lic",
    "xs18_c4o0ehrz321",
    "xp14_j9d0d9j",
    "xs10_178kk8",
    "xs14_69jzx12453",
    "xs22_c8970sicz02553",
    "xs7_3lo",
    "xs12_0g8ka52z121",
    "xs14_69e0eic",
    "xs16_69f0f96",
    "xs17_2ege1ege2",
    "xs56_wggc97079cggzraahy3haarzw116is0si611",
    "xs9_25a84c",
    "xp2_g8gid1e8z1226",
    "xp2_md321pmz1221321",
    "xs12_178c453",
    "xs18_o8gehrz643",
    "xs12_0g8ka23z23",
    "xs12_kc3213z11",
    "xs14_39e0eic",
    "xs14_wggc871z6221",
    "xs16_4a9la4ozx121",
    "xs22_09v0v9z3210123",
    "xs48_g08k97079k80gzd5l8gxg8l5dzx1470741",
    "xs8_32qk",
    "xs9_g0g853z11",
    "xp15_4r4y14r4z4r4y14r4",
    "xp2_0g0k053z32",
    "xp2_rhe0o44o0ehrzy01221",
    "xp2_xrhewehrz253y4352",
    "xs10_69ar",
    "xs10_g0s252z11",
    "xs12_256o8a6",
    "xs12_2egm93",
    "xs12_ck3123z11",
    "xs13_g88m96z121",
    "xs14_64lb8ozw11",
    "xs14_69bo8a6",
    "xs14_6is079c",
    "xs14_g8o0e96z121",
    "xs14_w8k8a52z2521",
    "xs15_699mkk8zx1",
    "xs18_gs2ib96z1221",
    "xs24_4aab96z255d96",
    "xs24_o4q55q4oz0125521",
    "xs30_69b8b96z69d1d96",
    "xs10_3215ac",
    "xs10_358gkc",
    "xs14_1no3tg",
    "xs15_259e0eic",
    "xs16_djozx35426",
    "xs56_g8861u0u1688gz8ll55o0o55ll8zx3430343",
    "xs56_g88ehe0ehe88gz8lll8g0g8lll8zx3430343",
    "xs9_178kc",
    "xs10_0drz32",
    "xs10_0j96z32",
    "xs10_3542ac",
    "xs10_drz32",
    "xs12_08o6413z32",
    "xs12_330f96",
    "xs12_3hu066",
    "xs12_6960ui",
    "xs13_0g8o653z121",
    "xs13_0gbaicz121",
    "xs13_31egma4",
    "xs13_c88a52z33",
    "xs14_4a9j08ozx121",
    "xs14_c9jz6ip",
    "xs14_ck31246z023",
    "xs14_o4a5123z23",
    "xs14_wg8ka52z2521",
    "xs15_25a88gz4a511",
    "xs15_3lkm96z01",
    "xs15_j1u06a4z11",
    "xs15_wggs253z652",
    "xs16_69p6426z032",
    "xs16_w8k8a53z6521",
    "xs16_xg8ka52z4a521",
    "xs18_178kozy135a8o",
    "xs18_gbbgn96z11",
    "xs20_cq231eoz012311",
    "xs20_raarahr",
    "xs24_39u0u93z3210123",
    "xs26_69ab96z695d96",
    "xs26_69b88a6z69d1156",
    "xs26_6a88b9cz6511d93",
    "xs28_35s1v0v1s53zx1x1",
    "xs28_3hu0uh3zc87078c",
    "xs28_4s3qq3s4z11622611",
    "xs28_xrhe0ehrz253y3352",
    "xs36_g8o6ll6o8gz123cllc321",
    "xs72_y1rhe0ehrz3lkl3y33lkl3z32023c4o0o4c32023zy13210123",
    "xp2_25a8a6z8ka2ac",
    "xp2_31ago",
    "xp2_882030kgz010602",
    "xp2_g0k053z11",
    "xp2_g88ehewehe88gzg999gy0g999gz011787w78711",
    "xp2_g88m9ewe9m88gzg99py2p99gz011697w79611",
    "xp2_o4al9ewe9la4ozg99py2p99gz125a97w79a521",
    "xp3_s471174sz11744711",
    "xp3_xg8vxv8gzhhhhhy1hhhhhzx12vxv21",
    "xs10_0cp3z32",
    "xs10_1784ko",
    "xs11_g0s256z11",
    "xs12_2egm96",
    "xs12_330fho",
    "xs13_0mk453z121",
    "xs13_32qb96",
    "xs13_4a960ui",
    "xs13_g6q453z11",
    "xs14_08o0e93z321",
    "xs14_0g8ka53z321",
    "xs14_2552sga6",
    "xs14_39e0e96",
    "xs14_8ehjkczw1",
    "xs14_c88e13z33",
    "xs14_j1u413z11",
    "xs15_259e0eio",
    "xs16_031e8gz8k871",
    "xs16_0ca952z2553",
    "xs16_0mk453z3443",
    "xs16_25is0si52",
    "xs16_69aczx3596",
    "xs16_j1u06acz11",
    "xs18_3pm44mp3",
    "xs20_0gs25ak8z344311",
    "xs20_raaraar",
    "xs22_25a88a6z4a51156",
    "xs22_4a9m88gzx122dia4",
    "xs22_64ljgzw10470si6",
    "xs22_g8e1e8gz12ege21",
    "xs24_6996o8gzciic321",
    "xs24_g8861u08oz011d9611",
    "xs24_g88e1e88gz01178711",
    "xs24_g88m9j08oz110c9611",
    "xs24_o80j9cggzw116ip023",
    "xs28_4s3iacggzw116a9o74",
    "xs30_w6996z255ll552zw3443",
    "xs32_4a9e0e9a4z259707952",
    "xs32_g04s0798cz11d44o0e913zy011",
    "xs36_4a9f0f9a4z259f0f952",
    "xs36_699e0e996z699707996",
    "xs36_xg8861688gz4aahy3haa4zx122cgc221",
    "xs40_0ggx4a96z12430f99f0cik8zy06952",
    "xs40_8kihe0ehik8z4ai2s0s2ia4zx1x1",
    "xs40_wggc48fhikozck56o8go56zw123",
    "xs44_wg8gu164k8z4ab8oxgh1t52zx12268701",
    "xs44_xg8ge1eg8gz4aaahy1haaa4zx121ege121",
    "xs48_ckjhe0ehjkczcai2s0s2iaczw11x11",
    "xs48_g886168861688gzg996y2699gz0116861168611",
    "xs64_g8861v0v1688gzdll55o0o55lldzx3470743",
    "xs80_y2j1u0u1jz6a88a611x116a88a6z651156o8g0g8o651156zy2c87078c",
    "xs8_31248c",
    "xs9_312453",
    NULL,
};

const known_soup known_soups[] = {
    {"5b7o$2bob2ob4o$bo3bob2obobo$bobo2bo5bob2o$o3b2o2bob2obo$3bo2bobob2o2bo$2o2bo2bo4b2o$2"
     "bo2b2o2b3ob2o$2b3obo6bo$2b2obobo2bobob2o$obob2o2b5o$ob2obo3bo$bobobo8bo$b3o2b2obo$bo3"
     "b2ob7o$o4b3o5bobo!",
     "xs4_33*3 xs7_2596*2 xs6_696*2 xs8_6996*1 xs5_253*1 xp2_7*1"},
    {"2ob2o2b3o2bobo$3bo3b3obob2o$bo2b2o7b3o$o2bobo2b3ob4o$3b4obo2b3o$obo2bob2o2bob2o$5o4bo"
     "3bobo$3b2o2b5ob3o$o3b2ob4o2bobo$4b2o2b2ob2ob2o$b5o2bob4o$5bo2bo5b2o$2b2ob2ob3o3b2o$2b"
     "2obob5ob3o$2bo4b4o$o2bo3b3obo!",
     "xs6_696*5 xp2_7*4 xs4_33*1 xq4_153*1"},
    {"b4ob4o2b4o$ob2obo2bobobob2o$6ob4o2bo$o2bo5bobob3o$2ob5o2b5o$bo2bob2o2b6o$4bo3bob2o2b2"
     "o$2b2obo4b6o$2o3bo2bo2b3obo$ob4o6b2o$2b6o3bo2b2o$b8o2bobobo$2bo3bo2b2obobo$4o8b2o$2bo"
     "3bo3bo3b2o$bob3ob6o2bo!",
     "xs6_696*2 xs6_356*2 xs4_33*2 xs4_252*1 xp2_7*1"},
    {"2o2b3o2b4obo$5bo4bo2b2o$o2b2ob3o4bo$ob2obo6bo$3o2bo3b4ob2o$3bob2o4b4o$o2bo5bob2o$4b4o"
     "b3o2b2o$2obo2b7o2bo$4o3bobob3obo$obo2b2o2b2ob4o$b3o3bobob3obo$obob4ob2obo$2b2o5b3o2bo"
     "$o2bob3o3bobobo$5ob2o2bobo!",
     "xs4_33*3 xs6_696*1"},
    {"2o7b2o4bo$3obobob4obobo$b2o7b2ob2o$2bobobob3ob4o$bo4b3o2b5o$ob3o4b6o$2o3bobo3b4o$2obo"
     "4bob2o2bo$b2obob4ob2ob2o$bo2bo3b2ob2o2bo$2o2bob2obobo$b2o4b2o4b2o$o2b5obob2ob2o$o2bo3"
     "bo7bo$o2bob2o2b4obo$b6o2bobobo!",
     "xs4_33*2 xs7_2596*1 xs6_696*1"},
    {"bo6b2o2b2o$3b5o2b2o2bo$2o2b6o2b4o$bobob3obo2b2o$2ob2o4b5o$o2b4obo4bo$o6b4o2b2o$bobo7b"
     "4o$b2o3b3o3b2obo$4obo2b3ob2obo$bobobo2b3obob2o$4o2bobobo3bo$2o4bo5b2o$2b4ob3obo$2ob3o"
     "4b2ob2o$4ob3o3bobo!",
     "xp2_7*5 xs4_33*4 xs5_253*1"},
    {"2obob3obob3o$obo3bo2b2ob2obo$2b2obo2b8o$3bob2o6b3o$ob2ob2obo3bob2o$2o2b5ob2o$o2bobo6b"
     "obo$6bobo2b5o$3bob5obob2o$2o2bobo3bo2b3o$4o2bobobo4bo$3bo3b2o3b3o$ob2obo3b2ob2obo$2ob"
     "obo3bo4bo$obob3ob2ob5o$ob2obo3bo3bo!",
     "xp2_7*27 xs4_33*24 xs6_696*13 xq4_153*6 xs7_2596*5 xs5_253*4 xs6_356*2 xs4_252*1"},
    {"bob2o3bo3bobo$2b8o2b4o$3b3obo2bo3bo$o3b2ob2obob4o$b3ob4obo4bo$3ob2o2b2obobobo$3o6b3ob"
     "o$bob3o2bobob3o$o2bob3ob5o$2obo4b2o4b2o$b5ob2o3bo$2b2o2b3o3bobo$b4o2b3o2b4o$3obob4obo"
     "bo$4bobo2b2ob4o$o2b2o2b2obobobo!",
     "xp2_7*5 xs7_2596*2 xs5_253*1 xs4_33*1"},
    {"4ob2ob2ob2ob2o$b2o2bobobobo2bo$obobob3ob3ob2o$3obob2o2bo3bo$2obo3bobob2ob2o$b3o8b2obo"
     "$o2b3obo2bob2obo$b2o2b2obob5o$2bobob2o2b4o$b2ob3o3bob4o$3bo2b2ob4o$bo4b4obobo$ob2o2b2"
     "o3bo2bo$4o2b3obob3o$ob4o2bo2b3o$o7b8o!",
     "xs4_33*4 xp2_7*4 xs6_696*1 xs5_253*1 xq4_153*1"},
    {"2b5o$ob5obob4o$2o2b2o2bo2b5o$obobob2o2b6o$o4b3ob2ob3o$bo2bo3b5obo$2bo2b3o2b3obo$2bobo"
     "3b4obo$obo3bo2bobob2o$3ob4ob2o3b2o$3o2bobob7o$bo2b2o3bo4b2o$2bobobo2bo2bobo$o2b5o3b2o"
     "bo$obobo2bobo2bobo$o2b3o2bobo2b2o!",
     "xs8_6996*1 xs7_2596*1 xs4_33*1"},
    {"b2ob2o2b4obobo$b3o2b2o2bob3o$4o6b3o$3b2o2bo2b3o$ob2o2bo4bo2b2o$5b6o2bobo$2bo8bo3bo$2b"
     "o3b3o2bo3bo$2o4bo3bo2bo$b2obo2b2obo4bo$o2bob2ob2obob2o$2ob3obo2bo2bo$b5o3bo2bobo$ob3o"
     "bob3ob3o$5ob2o2b3obo$8ob2obo2bo!",
     "xs4_33*19 xp2_7*14 xq4_153*9 xs6_696*4 xs8_6996*3 xs7_2596*3 xs6_356*2 xs5_253*2"},
    {"2o2b7o4bo$6o3bob5o$2o2bobo2b3ob3o$2b2o3b4o2b3o$2b2o5bobo2b2o$2bo7bo$2o2b5o2b4o$2b4o9b"
     "o$ob2obobob3o2b2o$3b3o2b2obobobo$obobob2o3bo2bo$b8ob2o$3bo2bo3bobobo$b2o2b3o2b2ob2o$2"
     "bo3b2obobo2bo$bo2b2o3b4o2bo!",
     "xp2_7*3 xs6_696*2 xs4_33*2"},
    {"4o3b5o$5ob2obobo2bo$3bo3b5obo$o2b3obob4obo$4bo3bo3b3o$b2o2b2o2bob3o$b3o3bobo3bo$obo4b"
     "o2b2o2b2o$obo2b2o2b2o3b2o$2obo2bob2o2b2o$ob2ob2o3b2o3bo$3o3b3ob2ob3o$b2o2bob3o2b4o$4o"
     "3bo2b2ob2o$o4bo2b3o4bo$2b2o2bob3obo2bo!",
     "xs4_33*2 xp2_7*2 xq4_153*1"},
    {"o3bo2b2ob3o$o5bob3ob3o$3b2o4b5obo$o4b2o3bo4bo$3o2bobob2o2bo$4bobo2bobob2o$b2o3bo2b2o3"
     "bo$2b2o2b2obobo$o2bob4obo4bo$b3o2bo3b2o2b2o$5o3b2o2bob2o$2bo2bo2b3o3b2o$4bob3obob2o$b"
     "ob2obobobo2b2o$5obo2bo5bo$ob3ob2ob3ob3o!",
     "xs6_696*5 xs4_33*1 xq4_153*1"},
    {"ob2obobob2ob2o$3b2obob2ob3o$2bobobobo2b2o$bob3ob2o2b3o$b3o2b2obobobo$2obobobo2b2obobo"
     "$4bo2bo2b3ob2o$3obobobob3o2bo$bo6b3ob2obo$2o4b2ob2obo$obobo2b2o2bo2bo$2b3ob3o2bobobo$"
     "2bo4b2o2bo2b2o$ob4ob4o$4obo3bob3o$5ob5obobo!",
     "xp2_7*78 xs4_33*63 xs6_696*42 xq4_153*19 xs7_2596*11 xs5_253*11 xs4_252*4 xs6_356*3"},
    {"obo5b2obo$4obo2bo2bobobo$3obo2b2o2bo3bo$2obo2bobo6bo$3o5b2obobo$2ob2o3b2obobo$b3obobo"
     "4bob2o$3b2obob3o$2o9b3o$3o3bobob2o3bo$3bobo3b2obobo$6o2bo2bob2o$o4bo3b4ob2o$bob2o2b3o"
     "3b3o$3b3o2bob2o3bo$ob2obob5o3bo!",
     "xp2_7*6 xs4_33*3 xs7_2596*2 xs6_696*2 xq4_153*2 xs6_356*1 xs5_253*1"},
    {"2o3bob2ob2ob3o$3o3bob6o$2obob5obob2o$3b4o2bob4o$2b4obo2bob2obo$2ob4o4bobobo$2ob5obob3"
     "o$o2bobo3bobobo$3bobob2o2bobo$2b2o2bo4b3obo$b2obo2bo5bobo$2ob2o4bo3bobo$obobobo4b2ob2"
     "o$4bobo2bo3b3o$obo2b2obobo2bo$o4b3obo2b2obo!",
     "xp2_7*16 xs4_33*14 xs6_696*8 xq4_153*3 xs6_356*2 xp2_7e*2 xs8_6996*1 xs7_2596*1"},
    {"ob3o2bobob5o$bobobo4bo3b2o$5o3b2ob2obo$bobobo6bob2o$2b3o3bob6o$2b3o2b2ob3ob2o$o2bo2b3"
     "obob2o$3o5b2o4bo$b2ob3o$o2b2obobob3ob2o$3o4bo3b4o$o2bob2ob2obo$b4o2bo3bob3o$o3b3obobo"
     "2b3o$2b2o3b2obob4o$obo3bo4bo2bo!",
     "xs4_33*7 xp2_7*4 xs5_253*3 xs6_356*2 xq4_153*1"},
    {"b3o6b2obobo$b4obo3b2o2bo$b2o3b2o2b2o2bo$bo4b3ob3o2bo$bo3b7o$ob2o3b8o$obob8ob2o$o2bobo"
     "bo2b5o$ob3o3bobo2b3o$2obobobobob3o$2b2ob2o3b2o2b2o$2ob4o2bo3bobo$2bo3b4o3bo$2ob2o5b6o"
     "$2b2obo5b2ob2o$3ob2o5b2ob2o!",
     "xp2_7*13 xs4_33*7 xq4_153*3 xs8_6996*2 xs7_2596*2 xs6_696*2 xs6_356*1 xs5_253*1 xs4_2"
     "52*1"},
    {"bob2o2bo4b2o$b6ob2ob2o2bo$2o4bo4bo2bo$bo2b3ob3o2b3o$2o3b2obo2b2o$bo2b2obo2b3o$o3bobob"
     "ob2obobo$obo2b2o3b3o$o3bobo6b3o$o2bo2b2o3bobobo$b2o3b2obo2bo2bo$6b2ob2ob2o$2b2obo2b3o"
     "bob2o$o2bo3bob2obo$2b2obob2obobo$3o2b3o5b2o!",
     "xs6_696*4 xs4_33*3 xp2_7*1"},
    {"3b3ob2o2bobo$o3b4obobo$5o3bob2o2b2o$2bobo3b2ob4o$2o3bo7bobo$4ob2obo4bo$3ob6o2bobo$4o2"
     "b2ob2obo$2o4b3o2bo2bo$2bo2bob4o4bo$bo2b2o2bobo2bo$o7b2obobo$bo2bob6ob3o$2o3bo2b3o$ob6"
     "ob3o3bo$ob2o2bob3obo2bo!",
     "xp2_7*9 xs4_33*6 xs6_696*5 xs7_2596*3"},
    {"o4bob2obob2o$3b3o7b2o$obobo5bobo$obo2bob5obo$6ob3obo$2o2b2obob4obo$o3b2obob4ob2o$bob2"
     "o2bo2b2o2b2o$4b2ob2obo4bo$3o4bob2ob2o$o2b3o3b2o$o3b7ob2obo$b3obob2ob3ob2o$o2bob3o3b3o"
     "bo$3bobo3b3o2bo$b2obo2bo2b2o2b2o!",
     "xs6_696*1 xs5_253*1 xs4_33*1 xs4_252*1 xp2_7*1"},
    {"4b2ob2obo$bob3o2b2o2bo2bo$o2bob3ob3o3bo$ob3ob2o3b2ob2o$o5b2obo2bo2bo$2b3o2b3o4b2o$obo"
     "3bobo5b2o$o2b2ob4obob3o$b2obob2o4b4o$o6bobobo2bo$o6b2o3bo$b4ob4ob2o$3ob3o2b3ob2o$o4bo"
     "b5obobo$b3o2b2o2bob2obo$2o2bobo6bobo!",
     "xs4_33*2 xs7_2596*1"},
    {"obobo2bob2obo2bo$b2ob2o2b5o2bo$o3b3o4bob2o$b2obo2bobo2bobo$o2b2o2bobobo3bo$3ob2o2b4ob"
     "obo$bo5bo4bobo$5o8bo$3b2obob2o2bob2o$o3bo2b2o2bob2o$3o4bo3bo2bo$o4bo3bobo3bo$2o3b2ob2"
     "o5bo$obo8bo2bo$b3o2b2obob2obo$8bo2bo2b2o!",
     "xs4_33*20 xp2_7*17 xs6_696*8 xs7_2596*5 xs5_253*4 xq4_153*3 xs6_356*2 xs4_252*1"},
    {"obob3obob3ob2o$3b2o2b2obo2bobo$2b5obobobo$3b3o2bo$ob2obo3b2o$obobobo3bobobo$2bo2b2o3b"
     "ob2o$bo2b2o3b2o2bobo$bo4b4o2bobo$2obo3b3o5bo$2o5b2o3b3o$4o8bobo$3b2ob2ob3ob2o$5bobo2b"
     "obo$b3ob5obo2b2o$ob6o2b2ob2o!",
     "xs4_33*2 xs5_253*1 xp2_7*1"},
    {"2b5o3b2o3bo$2b4o3b2obobo$2b2ob2ob2ob2o$b2obobob4obobo$bo2b6ob2obo$6ob3o3b2o$b4o3bob4o"
     "bo$2b2ob2o3b2o2bo$o2bobo3bobobobo$3b2obobob2o2b2o$bo2bo2bobo2bob2o$3bo2b3ob3ob2o$b3o2"
     "bo3b6o$4ob2o2b3o2bo$2o3bo4bobo$3o3b5o2bobo!",
     "xs4_33*7 xs6_696*3 xp2_7*3 xs7_2596*2 xs8_6996*1 xs7_25ac*1 xs5_253*1 xq4_153*1"},
    {"2o3bo2bo5b2o$4bo2bobob3o$2bo2b2o2bo5bo$b4ob3o3b4o$o3b3o3bo3b2o$4bo2bo2b6o$o2bo3bo2bob"
     "obo$o5b3ob3o$4bo2bo2bo4bo$3bob3ob3o2b2o$o3b2obo2bo2bo$4b3o3b3obo$2bob8o2bo$2b3ob4ob3o"
     "$o5bob2ob2ob2o$3bob4o3bo!",
     "xs4_33*4 xp2_7*2 xs6_696*1 xs5_253*1"},
    {"2obo2bo2bobobobo$b2ob3ob2obobobo$bo3bob3o2b4o$2b2ob4o3b3o$3ob2o2b2o3bo$bob3ob4o3b2o$3"
     "o3bob4o2bo$6bo4b3obo$2o2bo2b3o2bob2o$bo2b4o3b2obo$bob3obo2b6o$3o3bobo2bo2b2o$3bob7o$6"
     "o2b6obo$2ob2o3b2o$bo2bob3o3bobo!",
     "xs4_33*5 xs5_253*2"},
    {"b4o5bo$obo2bo4b2ob2o$o2bobobob4o2bo$bobob3obob2o2bo$4o4b2o2b2o$8obo2b4o$2b2o2bob6o$b3"
     "o6b3ob2o$b8o3b4o$4o2bob2obob2o$obob2o2bo2bo2b2o$bo2b2obo$obo2bo4bob2o$bo2bo5b2obobo$6"
     "b3ob5o$b3o2bo3b2ob2o!",
     "xs4_33*12 xs6_696*6 xs6_356*3 xq4_153*3 xp2_7*2 xs7_2596*1"},
    {"obo3bob2obobobo$ob3o2b3o4bo$bo4bo2bobo$o2b3o4b2ob2o$b2ob6o4b2o$2bobo2bo3bobo$bo4bo4b3"
     "o$5ob4o4bo$2bo4b2o2b5o$2o4bo$b3obo2b2obob2o$b4obo2b2obobo$2o2bobo2b4o$2b4obob2o2bo$2b"
     "2o2b2o2bob2o$2obob2ob5obo!",
     "xs6_696*1 xs4_33*1 xs4_252*1"},
    {"2o4b5obobo$3ob2o2bobob2o$o3b2o2bobo3bo$2bo3bo4bo$2ob2o8b3o$o7b2ob3o$2obo3b4ob2obo$3o3"
     "bo2b3o3bo$2b3obo4b3obo$2ob2ob7obo$bo2bo2b3ob4o$5bobo4b2o$obo2bob5o2b2o$2b2o2b2ob2obob"
     "2o$2ob2o2bob2ob3o$2obo2b3obobobo!",
     "xs4_33*2 xs7_25ac*1 xs7_2596*1 xs6_696*1"},
    {"2o2bob3ob3ob2o$ob2o3bo2bo$ob3o2bob2o3bo$4bo3b3ob3o$3bob2ob3o4bo$7o2b3obo$2bobob3o$5ob"
     "5o3bo$3obo2b2obo2bo$b4ob3o3bo$5b6ob2o$o2bo6b3ob2o$o2bo4b3o2bobo$2o2b2ob6ob2o$2o2b2o2b"
     "obo2b2o$o4b3ob4o!",
     "xp2_7*8 xs4_33*4 xs6_696*1 xs6_356*1 xq4_153*1"},
    {"o6b2ob3obo$bobo3b4ob2o$bo3b3obo2b3o$4ob2ob3ob4o$b2ob5obo2bo$obob6obo$bo3bob4o2b2o$bob"
     "ob3obo3b3o$3o4bo2bo3b2o$2b4ob2obob2obo$obobobobobo3bo$2b4ob2o2b2o2bo$o4b2obo2b2o$3ob2"
     "ob2ob2obo$bob2o2bob4o2bo$7bobob2o!",
     "xs5_253*1 xs4_33*1"},
    {"2obob2o4b3obo$bo2b2obo2bobo$b4obo3bobobo$8b2o5bo$bo2bob4obo3bo$4b2ob4obo2bo$2b2o2bo3b"
     "o3bo$obob4ob3obobo$2bo4bobobob3o$3obo2b2ob3o2bo$b2o3b2o2b5o$o8bo2bobo$2b4obob3o$obob5"
     "o4b2o$o2b4ob6o$o2bob2o2b2o3b2o!",
     "xp2_7*9 xs6_696*6 xs4_33*4 xq4_153*2 xs7_2596*1 xs4_252*1"},
    {"o3b4obob4o$obo5b3o2bobo$o3b2o2bo2bo2b2o$b4o2b2obo2bobo$ob2obobo3bo$obob2obo4b2o$obobo"
     "4b2ob2obo$obo2bob2ob2obobo$5b2o2bob3obo$obob2obo3b4o$2o3bobo3b2ob2o$bo2b2o4b3obo$b3ob"
     "5ob2ob2o$bo2b2ob2obob2o$2b4o3b2o$3ob2ob2o2b2obo!",
     "xs5_253*2 xs7_2596*1 xs4_33*1 xp2_7*1"},
    {"5o2bo2bobo$bo2b2o5bobo$bo2b3o2b2o2b3o$o2b3o5b3o$2bob3obob3o2bo$b2obobob2o2bob2o$ob2o2"
     "b2ob5obo$o2b2o3b2o3bo$2o4bob6o$o4b2o3bobo2bo$2o2bobo3b3o$o2b2obo2b2o$b4obobo2b2o$b4o2"
     "bobo3bo$4o2bobobo2bo$2o2bo2bobobob3o!",
     "xp2_7*11 xs4_33*6 xq4_153*5 xs7_2596*2 xs6_696*1"},
    {"o3bo5b2o3bo$7bo$bo2b3ob2o3bo$4b3o3bo2b2o$3o3b2o2bobo$2bo2bob3o3bobo$b3ob3obo2b2o$3b3o"
     "3b3obobo$2b2o3bobo2bo$4o2bo3bobobo$2ob3ob3obo$b3o2b2ob3o2bo$bob3o3b4o2bo$o4bobobob3ob"
     "o$b2obo2bob3o2bo$3ob4obobob2o!",
     "xs4_33*10 xs6_696*7 xp2_7*6 xq4_153*4 xs7_2596*2 xs6_356*2 xs5_253*2"},
    {"b2obo$o2b5o2b3ob2o$o2b3o4bo3bo$2obobobo2b2o$o2bo8bo2bo$6ob2o2bob3o$ob2o2b3ob2o2b2o$2o"
     "2bo6bo$3o2b3o2bo2b2o$o2bo4bo2b5o$7o8bo$2obob6ob2o$o3bo2b3o5bo$5bob2obobo$bobob2o3b3o$"
     "2o3b2o2b3ob2o!",
     "xs6_696*2 xs5_253*1 xs4_33*1 xq4_153*1"},
    {"3b2ob3o2b5o$obo2bo2bob3obo$o2bo2b2o4b4o$4o3bo3bob2o$ob5ob3obo$2obobo2bo2b4o$5o4bo3b3o"
     "$b2o8b5o$obo3bobob2o2bo$2bob2ob2ob2ob2o$2bo7b2obobo$2o5bo$2obo2bob2ob2ob2o$2b4o3b5o$b"
     "o3b2o3bo$bobo2bo3b2obo!",
     "xs4_33*45 xp2_7*41 xs6_696*32 xq4_153*10 xs5_253*6 xs8_6996*4 xs7_2596*4 xs6_356*3 xs"
     "6_39c*1 xs4_252*1"},
    {"4b2ob2o3b2obo$bob2o2b3ob4o$2b6o4b3o$2b3o3bo2bo2b2o$3o3b2o2bo2bo$bob2o3bobo3bo$2bob2o6"
     "b2o$bo3b2obobo2bobo$3obo2bo5bo$3bo3bob2o2bo$bobo2bo3bo2bo$3o5bob3obo$3b2obobob2ob3o$o"
     "bobobob5o2bo$o2bobo2bob2ob2o$2obobo3b5o!",
     "xs6_696*4 xs4_33*2"},
    {"3o4bobo3b2o$8b3o$2o2bobobo4bobo$b3o2bo3b2o2b2o$6bobo3bo$2ob3ob7o$3obobob2ob2o2bo$3b3o"
     "2b2o3b2o$2bo4b3ob2o2bo$2bo2bob7o$obob2o4b3o$bo4bo6b3o$bob2o5b2o2bo$2bob5obo3b2o$obob8"
     "o3bo$bobobo2bo3bobo!",
     "xs4_33*4 xp2_7*2 xs6_696*1"},
    {"o2bo3bo2bo3b2o$b7o3bob3o$o2b2obo6b2o$4b3o3b3o2bo$4o5b2o3b2o$o2b4obo2b2o$3o2b2o6b3o$3b"
     "o3bo3bo$2o5bobobob2o$3ob2o3bob2o2bo$obo2bob3obobobo$o3bo2bo7bo$ob4obobo2b2o$2o2b2o3b2"
     "o2bobo$2obobob2o4bobo$bo2bo3b2ob3obo!",
     "xs4_33*14 xp2_7*10 xs6_696*7 xq4_153*3 xs7_2596*1 xs6_356*1 xp2_7e*1"},
    {"3ob3ob2o2b2obo$bobo5b3obobo$ob2o2b2obob3o$obo4b4ob3o$bobo3b2o3bo2bo$bob2o2b2ob2o2b2o$"
     "2b2ob3obobo2bo$b3o2bo2bobo3bo$2obobobobobobobo$5bo2bo2b4o$4obo4b4o$2o3b3o2bo4bo$3b2o3"
     "bob3obo$ob2ob2o2bo$bo2bo5bo4bo$obob2ob3obobobo!",
     "xp2_7*5 xs5_253*3 xs4_33*3 xs7_2596*1"},
    {"2b4obob3o2bo$b2o3b3o5b2o$b2ob2obo3bobobo$o4b3ob3o$5o3b2ob3o$b4o4b5o$2o3bob2ob4o$ob2ob"
     "o2bob5o$bo3bo4b5o$b2ob2ob2o6bo$4b4obob3obo$b2ob2obob5o$obo2bobobo4b2o$2obobobo5b2o$b5"
     "ob2o2bob2o$obo2b4ob2o3bo!",
     "xs4_33*11 xp2_7*5 xs6_696*4 xs6_356*2 xq4_153*2 xs7_2596*1 xs5_253*1 xp2_318c*1"},
    {"2b2obob3o2b4o$b3ob2ob2obo2b2o$8b2o2bo$o3b2o5b4o$2o2bo2bo2b3o$2bo4b2ob2ob3o$ob2ob2obo2"
     "b3o$ob3obo3bob3o$2obo2b2ob2o2bobo$2o2b4o4bo2bo$bo6bob2o2bo$bo2bobob2o$2bo5b3o2b3o$2bo"
     "2b2obob3o2bo$ob5obobo4bo$2bo2b3o2b5o!",
     "xs6_696*8 xs4_33*6 xp2_7*5 xs5_253*2 xs7_2596*1"},
    {"o3b2obobo2b2o$obo4bobo2b2obo$2b7o3b2o$2bob4o3bo2b2o$obo3b2o2bobobo$2bob2o2b2obo2b2o$2"
     "bo4bob2obobo$2o3bob3o2b2o$bob3o2bo3b2obo$o3bob2ob2o$2b4o4b6o$4o2bo4bo$2ob4ob2obo2bo$b"
     "2o4bo3b2obo$2o3bob4o2b2o$2b2ob2ob3obo!",
     "xp2_7*9 xs6_696*3 xs8_6996*1 xs7_25ac*1 xs4_33*1 xq4_153*1 xp3_co9nas0san9oczgoldlo0o"
     "ldlogz1047210127401*1"},
    {"4bo4bo2b3o$4b5o2bo$3obo2bobobo2bo$ob2o3bobo$3ob5ob4obo$bo2bo4bo2bob2o$obo3bo2bobo$bob"
     "obobob2o2bo$bo2b4o2b5o$b3ob4o4b3o$ob2o3bob2ob3o$2ob2o4bo2bobo$o2b2ob2ob3obobo$b5o2b2o"
     "b2o$4b8o2b2o$2bo2bo2b3ob2o!",
     "xs4_33*48 xp2_7*32 xs6_696*19 xs7_2596*11 xq4_153*8 xs5_253*6 xs8_6996*5 xs7_25ac*2 x"
     "s4_252*2 xp2_7e*1 xp2_318c*1"},
    {"obo3b3ob4obo$b6ob2ob3o$ob5o2b3ob3o$bob2ob5obo$3bo2b6obo$b2obob2obob2obo$2o5b3o3b3o$o3"
     "bobobobo2bobo$b3o5bo3b2o$b3o2bob3ob2o$bo2bo5bo$bobo4bo3bo$o2b2o2bobob4o$4ob2o5b2o$b4o"
     "bob2ob4o$6o2b2ob2o2bo!",
     "xs4_33*2 xs6_696*1"},
    {"b2obo5b3obo$bob2o2bob2obob2o$obobobo2b2obo2bo$bo4bob3ob2o$4ob2obob2ob2o$bob5o2bobo2bo"
     "$bo5bobobobo$b2o2bo4b2o2b2o$o2bob2o2bo2b4o$5o5bob4o$2obob5o5bo$o3b2o2b3o3b2o$2obo5bo4"
     "bo$2bo2bo2bobo2b2o$2bobo2bo2bo2bobo$2o2bobob4o2bo!",
     "xp2_7*28 xs4_33*23 xs6_696*13 xq4_153*6 xs5_253*5 xs7_2596*3 xs8_6996*1 xs6_356*1 xs4"
     "_252*1"},
    {"b2o3bobobo2bo$2ob2obob2obob3o$3o2bo$bob2o2bo2b2o2bo$2o2b2o2b2ob3o$o5b6obobo$5o2bo2bob"
     "obo$obobobob2o3b3o$obobo2bob5obo$b6obo2b5o$o3bo2bob4o$obob5o3bob2o$5o2b3obobobo$3bo4b"
     "4o$o5b3obobo$b5o2b2obo!",
     "xs4_33*7 xs6_696*1"},
    {"3o3b2ob2ob2obo$3b2o2b3o2b3o$3o2bobo2b3obo$bobo4b2o2b3o$2b2o2bobo2bobobo$o2b2obob4o$4o"
     "bo4bobo$ob3ob8o$5o2b3obobobo$ob2obo2b4o3bo$3b5ob2o2bo$b2o2b2ob2obo2b2o$9b3obo$ob2obob"
     "ob2ob2obo$o3bo3bo4bo$bob4obob2ob2o!",
     "xs4_33*12 xs7_2596*3 xs6_356*3 xs5_253*2 xq4_153*2 xp2_7*2 xs8_6996*1 xs6_696*1"},
    {"b10obo2bo$2ob2obob3o2b2o$2obo5b2o3b2o$6obo2b4obo$b3obo3b3o$b6ob7o$ob2ob6o2b3o$ob5o2b2"
     "o2bo$bobob2ob3o2bobo$obo2bob3o2b4o$2bob5o2bob3o$bo3b2o2b3o2bo$2o2b4ob3o2bo$2bo2bo2bob"
     "ob2o$bob3obo2bo2bobo$2o2b2ob4obobo!",
     "xs4_33*3 xs6_696*2 xp2_7*2 xs8_6996*1"},
    {"o2bobo4b3obo$2obobob2o2bobo$ob6o3b2ob2o$4b4obo2bo2bo$obob2o2bobo3b2o$7o2bobob3o$ob4o2"
     "bob2o$b3ob2o2b2o2bo$3bobo3b4obo$11obo$3bob5ob2ob2o$o2b3o3bo5bo$obob7ob3o$5o2b2o2b2o$2"
     "o4bo2b3o2b2o$2o3b2ob4obobo!",
     "xs4_33*9 xs6_696*3 xp2_7*2 xs6_356*1 xq4_153*1"},
    {"bobo3bob2ob2o$b2ob2ob2obo2bobo$3bobo4bo$ob3obob2obo2bo$2o4b6ob2o$4bo4bobo3bo$b4ob3o2b"
     "2o$4bo5b2o3bo$bob2obo2b2o4bo$5o2b5o$o2b2o2b3obobo$ob2ob2ob3obo$ob2o4bobo2bo$bob2ob2ob"
     "2obo2bo$4obo5bo$ob2obob3obo2b2o!",
     "xs4_33*6 xp2_7*5 xq4_153*3 xs6_696*2 xs6_356*1 xs5_253*1"},
    {"b4ob6ob2o$bob3o3b3ob3o$2b3o6b2o2bo$2b9o2bobo$2o2bob3o2b3o$4b2obob2ob2o$b2obobob3ob3o$"
     "bobobobo2bobobo$2o3bo2b4obobo$2bob2ob2o6bo$obo3bo2b3obobo$ob3ob4obo2bo$o4b2obo3b2o$2b"
     "3ob3ob2ob2o$o2bob5o4bo$3bo6bobob2o!",
     "xs7_2596*1 xs6_696*1 xs4_33*1 xq4_153*1 xp2_7*1"},
    {"b2obo4b6o$bo9bobobo$6ob4obo2bo$2ob3o3b3obo$b2o2b4o2b2o2bo$3obobo2b3o2bo$3obo6b2o$2b2o"
     "5b4o$5ob2obo2b3o$7o2bo2bob2o$2ob3ob2o3bobo$2ob2obo2bo2bo2bo$3obo5b2o3bo$2obobobob2obo"
     "b2o$2ob2o3bo2b5o$o7bobo2b3o!",
     "xs4_33*8 xp2_7*5 xs7_2596*3 xs6_356*2 xs6_696*1 xs5_253*1 xq4_153*1"},
    {"5bo3bo2b3o$b2obobo4b4o$5o2bob4obo$b3o2b3o2b3obo$2ob3obo4bo$obo2bo2b2ob4o$2ob5ob5obo$b"
     "ob2o3b4obo$2b5obo6bo$o3b5obob3o$2b2o2b2o5bo$5o4b3obobo$ob2obobob2ob2obo$bobobobobob3o"
     "bo$2ob4ob3ob2o$2bobo6b3o!",
     "xp2_7*4 xs7_2596*1"},
    {"2b2o2bo2b3ob3o$8o3b2o$2o6b5o$4bobo3bo2b2o$b5obo5bo$bo4bob2o$3o2bob3ob5o$o9b2o3bo$obo2"
     "bobobobo2b2o$4b2o2bo2b2o2bo$o4bob2o2bob2o$bob2ob2obo5bo$ob4ob3ob3obo$2obo3bobob2obo$3"
     "ob4obob3obo$obob3o2b3o3bo!",
     "xs6_696*4 xs4_33*1"},
    {"4bo2b5ob3o$2b2ob2o2b6o$5ob2o3b2o$bobo4b2obob3o$b3o3bobo3b3o$3o2b4o2b2o2bo$b2obobo4b5o"
     "$2b3ob2obob2ob2o$obob2o2b6o$ob2o6bo3b2o$3bob3o3bobobo$ob2ob2o4bobobo$b2ob2obob2obo$5b"
     "4ob2obo$b2ob5ob2obobo$obo3b2o2b2obo!",
     "xs4_33*16 xs6_696*8 xp2_7*8 xs6_356*3 xq4_153*3 xs7_2596*1 xs5_253*1 xp2_7e*1"},
    {"2o2b2o2b2o3b3o$o2bo2bo3b2ob3o$2ob5o4b4o$3bo2b2ob5obo$2o3b4obo4bo$2o2b2o2bo2b2o$4ob3ob"
     "5o$b5ob3o3bobo$b2ob2obo2bo3b2o$o3bob2o6b2o$3b6o3bobo$2ob4obo3bo$3bo2b2o2bobob2o$bo3bo"
     "4bo2bo$3obo2bobobo2b2o$3b2obo2b2obob2o!",
     "xs6_696*5 xp2_7*5 xs4_33*2 xq4_153*1"},
    {"5bob2obo2b3o$obo5b3obobo$o3b3ob2o3bo$2o5b9o$7b2o2b5o$3obobobob2obobo$2b3o2bo2bobob2o$"
     "b2o3b3o4bobo$3ob5obo$6ob7o$3obob3ob3o$7ob2o4bo$b2o5bo3bob2o$4ob2obo$o6bobo$b4o3b4o2b2"
     "o!",
     "xs4_33*6 xp2_7*5 xs7_2596*1 xs5_253*1"},
    {"bobobobo5bobo$bobobo2b2ob2o$o4bobobo2b2o$2bo3b2o5bo$ob2o3b5o3bo$obo6b2ob4o$bobo2b3o2b"
     "o2bo$b4obobobo2b2o$2obo2bo5b4o$b4o2b3o2b3o$b2o3b3ob2obo$3ob2ob2o3b2o$4o2bo3bob2o$o4bo"
     "2bo5b2o$2b3obob2o$o2bo3bob3o2bo!",
     "xp2_7*3 xs4_33*2 xs6_696*1 xq4_153*1"},
    {"ob2obo2bo3b3o$obo2bo5bob2o$3o5bo2b2obo$ob3ob4obo2b2o$4bo2b7o$3bo10bo$2b4obo3b3o$3o3bo"
     "3bo3b2o$obo2b3o4b3o$b2ob3ob2ob2ob2o$obob2o3bob4o$bo2bo3bo5bo$o7b2o4bo$2ob2obobo2bo2bo"
     "$o6bo2bo4bo$2o5b2ob2o!",
     "xs7_2596*1 xs5_253*1 xq4_153*1"},
    {"b5obo3bob2o$o2bobobo2b2obobo$bob3o2bo2b2o$4b3o5bo$o8bob3o$ob2obo5bo2b2o$5b4ob3o2bo$3b"
     "obo2b5o2bo$2b2o3bo2b2o2b2o$3ob3o2b2ob3o$o4b2o2b4obo$4ob2obobobo$b3o2b3ob2obo$2b2ob2ob"
     "o4bobo$3bob9o$b3obo2b2ob3o!",
     "xp2_7*4 xs6_696*1 xs4_33*1"},
    {"b3obobobo2b4o$2o2b2o4b2obobo$3o5bo3bo$bo5b2obo3bo$3bobob2o2bo3bo$b2o2bo2b2o2b3o$2ob2o"
     "2b2o2b2ob2o$o3bobo2bo2bobo$obob2o3bob3o$3bob6ob3o$ob3o5b3ob2o$b2o5b3o2bobo$bo2bo4bobo"
     "3bo$3o2bobo2b2o2bo$2b3o2b4o4bo$4obobob4o2bo!",
     "xs4_33*15 xp2_7*12 xs6_696*5 xs5_253*5 xq4_153*5 xs7_2596*1 xs6_356*1"},
    {"2bo2bo$o2b4obobob4o$4b2obobobob3o$bo2bobobo2bob2o$4o3bobobobo$2ob2obo2bobo$9bobobobo$"
     "bob2ob2o3bo$5obob2obobo$bobo3bo2bob3o$3b2ob4ob2o$obo3b3ob2o$4bo2bo6b2o$2b3obo2bo2bo$b"
     "o3b2o2b4o$6bo4bobo!",
     "xs4_33*1"},
    {"2b3ob3o4bobo$2ob2ob2ob2o3bo$obo2bobobobo2bo$4bob2obo3bobo$2o2bo4b2ob2o$ob6ob2o2b2o$4o"
     "2bo2b4ob2o$b2o3b2o2b2o2bo$o3b4ob2o3b2o$2o2b2o5b5o$2bo2b4o2b3o$6bob5ob2o$2o3bobo4bob2o"
     "$ob4ob2ob5o$obob2ob2o3b3o$o4b2o2bo3bobo!",
     "xs4_33*4 xq4_153*2 xs6_356*1 xp2_7*1"},
    {"4b2o2bob4o$2ob3o2b5obo$obo2bobo2b2ob3o$o3b3o2bo2b2obo$5o2bo2b2ob2o$bo4b4o3b2o$2bo3b2o"
     "2b2ob2o$2bobo3b2o2b2o$3obob6o$ob3obobob3o2bo$3o3b3o2b3o$3b3ob2obob4o$2b3ob2obo2bobo$4"
     "bob2ob3o$b2o2bo3b2obo2bo$5bobobob5o!",
     "xs4_33*3 xs7_2596*1 xs5_253*1 xp2_7*1"},
    {"b2o4b2ob2o2b2o$b3ob2o2b7o$b2o2b3o3b2obo$4o2b3o2bob2o$2ob2ob2o2bob2obo$4b2o2b2ob3o$3bo"
     "4bobobob2o$o2bobob2obo2b2o$o2bo2b3o2bob3o$o2bob2obo2b5o$b3o2b3o2b5o$bo2bo4b4ob2o$b2ob"
     "3o2bobo$3b5o4b2obo$2bo2bo3bo2b2o$obo3b3ob3o2bo!",
     "xp2_7*4 xs6_356*1 xs4_33*1 xq4_153*1"},
    {"b3obob2ob2o2b2o$o4b3o3b2o2bo$2o2b2obo$o2b4o3b2obo$ob2ob5o2bobo$2o3b2ob2o4b2o$bo3bo3b4"
     "ob2o$ob2ob5o2bo2bo$2obobo3bobo2bo$3o3b2o2bobo$bo3bob2ob2o3bo$obob3o2b7o$ob3o2bo6b2o$o"
     "bo5b2o2bo$2ob2o2b2o3b2o$4bobobob2obobo!",
     "xp2_7*5 xs6_696*3 xs4_33*2 xs4_252*1 xq4_153*1"},
    {"15bobo5b3o4bo$16b7ob2o3bo$21bob2o2b3o$16bo8bobobo$21bo3bob2obo$18b5o2b2obobo$15b2obob"
     "o2bobob2o$17bo6bob3o$16b2ob3o2b2o2bo$17b2o4bo2bo2b2o$16bo2b2obobo2bo$17bob2obo2b2o3bo"
     "$15b2obo5bo2bobo$18bobob2obo3bo$20b4ob2obo$5b7o7b7o$2bob2ob4o$bo3bob2obobo$bobo2bo5bo"
     "b2o$o3b2o2bob2obo$3bo2bobob2o2bo$2o2bo2bo4b2o$2bo2b2o2b3ob2o$2b3obo6bo$2b2obobo2bobob"
     "2o$obob2o2b5o$ob2obo3bo$bobobo8bo$b3o2b2obo$bo3b2ob7o$o4b3o5bobo!",
     "xs4_33*6 xs7_2596*4 xs6_696*4 xs8_6996*2 xs5_253*2 xp2_7*2"},
    {"19bob3o3bo2bo$20b4o4bo$15b3ob5obob2o$15b2o3b3ob2ob2o$15b2o5bo2bo$17b4obo2b5o$15b2ob2o"
     "b2o2b2o$15bobo2b4ob2o3bo$15b3ob5o2b2o$15bobo3bo4b5o$16b2obo2b2obo2bobo$17b3o2bob4o$15"
     "b4ob3o2bobo2bo$15b3o7b2o2bo$16b2obob3o3bo$2ob2o2b3o2bobobobo2b3o2b2ob2o$3bo3b3obob2o$"
     "bo2b2o7b3o$o2bobo2b3ob4o$3b4obo2b3o$obo2bob2o2bob2o$5o4bo3bobo$3b2o2b5ob3o$o3b2ob4o2b"
     "obo$4b2o2b2ob2ob2o$b5o2bob4o$5bo2bo5b2o$2b2ob2ob3o3b2o$2b2obob5ob3o$2bo4b4o$o2bo3b3ob"
     "o!",
     "xp2_7*14 xs6_696*4 xs4_33*2 xq4_153*2"},
    {"15bo2b6ob3obo$15b2o3bo3bo3bo$17b2o8b4o$16bobob2o2bo3bo$15bobobo2b8o$15b2o2bo3b6o$17b2"
     "o6b4obo$15bob3o2bo2bo3b2o$15b6o4bob2o$15b2o2b2obo3bo$15b6o2b2obo2bo$16b5o2b5ob2o$15b3"
     "obobo5bo2bo$17bo2b4ob6o$15b2obobobo2bob2obo$b4ob4o2b7o2b4ob4o$ob2obo2bobobob2o$6ob4o2"
     "bo$o2bo5bobob3o$2ob5o2b5o$bo2bob2o2b6o$4bo3bob2o2b2o$2b2obo4b6o$2o3bo2bo2b3obo$ob4o6b"
     "2o$2b6o3bo2b2o$b8o2bobobo$2bo3bo2b2obobo$4o8b2o$2bo3bo3bo3b2o$bob3ob6o2bo!",
     "xs4_33*6 xp2_7*4 xs7_2596*2 xs6_696*2 xs5_253*2 xq4_153*2"},
    {"18bobo2b2ob5o$15bobobo3b3obo2bo$16bo2b3o5b2o$18bob2ob4obobo$15bob3obobo3b3o$15b4ob2o2"
     "b2o2bobo$15bob3obobo3b4o$15bo2b7o2bob2o$15b2o2b3ob4o$18b2obo5bo2bo$16b4o4b2obo$15b2ob"
     "4o3bo2b3o$18bo6bob2obo$17bo4b3ob2o2bo$16b2o2bo4bo$2o2b3o2b4obobob4o2b3o2b2o$5bo4bo2b2"
     "o$o2b2ob3o4bo$ob2obo6bo$3o2bo3b4ob2o$3bob2o4b4o$o2bo5bob2o$4b4ob3o2b2o$2obo2b7o2bo$4o"
     "3bobob3obo$obo2b2o2b2ob4o$b3o3bobob3obo$obob4ob2obo$2b2o5b3o2bo$o2bob3o3bobobo$5ob2o2"
     "bobo!",
     "xs4_33*4 xs6_696*2"},
    {"17bobobo2b6o$16bob4o2b2obo2bo$15bo7bo3bo2bo$15b2ob2obob5o2bo$16b2o4b2o4b2o$19bobob2ob"
     "o2b2o$15bo2b2ob2o3bo2bo$15b2ob2ob4obob2o$16bo2b2obo4bob2o$16b4o3bobo3b2o$16b6o4b3obo$"
     "15b5o2b3o4bo$15b4ob3obobobo$16b2ob2o7b2o$15bobob4obobob3o$2o7b2o4bo4b2o7b2o$3obobob4o"
     "bobo$b2o7b2ob2o$2bobobob3ob4o$bo4b3o2b5o$ob3o4b6o$2o3bobo3b4o$2obo4bob2o2bo$b2obob4ob"
     "2ob2o$bo2bo3b2ob2o2bo$2o2bob2obobo$b2o4b2o4b2o$o2b5obob2ob2o$o2bo3bo7bo$o2bob2o2b4obo"
     "$b6o2bobobo!",
     "xs4_33*4 xs7_2596*2 xs6_696*2"},
    {"17bobo3b3ob4o$16b2ob2o4b3ob2o$19bob3ob4o$17b2o5bo4b2o$16bo3bobobo2b4o$15b2obob3o2bobo"
     "bo$15bob2ob3o2bob4o$15bob2o3b3o3b2o$16b4o7bobo$16b2o2b4o6bo$17bo4bob4o2bo$17b5o4b2ob2"
     "o$17b2o2bob3obobo$15b4o2b6o2b2o$16bo2b2o2b5o$bo6b2o2b2o3b2o2b2o6bo$3b5o2b2o2bo$2o2b6o"
     "2b4o$bobob3obo2b2o$2ob2o4b5o$o2b4obo4bo$o6b4o2b2o$bobo7b4o$b2o3b3o3b2obo$4obo2b3ob2ob"
     "o$bobobo2b3obob2o$4o2bobobo3bo$2o4bo5b2o$2b4ob3obo$2ob3o4b2ob2o$4ob3o3bobo!",
     "xs4_33*22 xp2_7*14 xq4_153*6 xs6_696*4 xs6_356*4 xs7_2596*2 xs5_253*2"},
    {"17bo3bo3bob2obo$15b5ob2ob3obobo$16bo4bo3bobob2o$15bob2ob2o3bob2obo$16b3o3b2o3bo$15bo4"
     "bobobo2b4o$15b3o2bo3bobo2b2o$16b2obob5obo$15b5o2bobo$16bobo6bobo2bo$19b2ob5o2b2o$15b2"
     "obo3bob2ob2obo$15b3o6b2obo$15b8o2bob2o$15bob2ob2o2bo3bobo$2obob3obob3o3b3obob3obob2o$"
     "obo3bo2b2ob2obo$2b2obo2b8o$3bob2o6b3o$ob2ob2obo3bob2o$2o2b5ob2o$o2bobo6bobo$6bobo2b5o"
     "$3bob5obob2o$2o2bobo3bo2b3o$4o2bobobo4bo$3bo3b2o3b3o$ob2obo3b2ob2obo$2obobo3bo4bo$obo"
     "b3ob2ob5o$ob2obo3bo3bo!",
     "xs7_2596*2 xs6_696*2 xs5_253*2 xs4_33*2 xp2_7*2"},
    {"16bobobob2o2b2o2bo$15b4ob2o2bobo$17bobob4obob3o$15b4o2b3o2b4o$16bobo3b3o2b2o$18bo3b2o"
     "b5o$15b2o4b2o4bob2o$17b5ob3obo2bo$16b3obobo2b3obo$17bob3o6b3o$15bobobob2o2b2ob3o$15bo"
     "4bob4ob3o$15b4obob2ob2o3bo$16bo3bo2bob3o$15b4o2b8o$bob2o3bo3bobobobo3bo3b2obo$2b8o2b4"
     "o$3b3obo2bo3bo$o3b2ob2obob4o$b3ob4obo4bo$3ob2o2b2obobobo$3o6b3obo$bob3o2bobob3o$o2bob"
     "3ob5o$2obo4b2o4b2o$b5ob2o3bo$2b2o2b3o3bobo$b4o2b3o2b4o$3obob4obobo$4bobo2b2ob4o$o2b2o"
     "2b2obobobo!",
     "xs6_696*4 xs7_2596*2 xs4_33*2"},
    {"5b7o$2bob2ob4o$bo3bob2obobo$bobo2bo5b2o$o3b2o2bob2o3bo$3bo2bobob2ob3o$2o2bo2bo6b2o$2b"
     "o2b2o3b2ob3o$2b3obo2bo3b3o$2b2obob2obobo2bo$obob3obo2bob3o$ob2obobobobo2bo$bob2ob2o2b"
     "obo$b2ob5o5bo$b3o5bo2b2o$o3b2o3bobo!",
     "xp2_7*4"},
    {"2ob2o2b3o2bobo$3bo3b3obob3o$bo2b2o7b2o$o2bobo2b3obo2bo$3b4obo2bo2bo$obo2bob2o3bo$5o4b"
     "o2bob2o$3b2o2b2ob3ob2o$o3b2ob2obo3b2o$4b2o5bo$b7o2b4o$5b5obobobo$2b2obo2b2ob2ob2o$2b2"
     "obo3b2o$5bo3bo3bobo$o6bob2obo2bo!",
     "xs6_696*2 xs4_33*2 xs4_252*2 xq4_153*2 xs6_356*1"},
    {"b4ob4o2b4o$ob2obo2bobobob2o$6ob4o2bobo$o2bo5bobo2b2o$2ob5o2b3o$bo2bob2o2b2ob2o$4bo3bo"
     "3b2obo$2b2obo3bo3b3o$2o3bo4b2obobo$ob4o4b2o3bo$2b7o2bob2o$b6o2b3obobo$2bob3obo2b5o$7o"
     "bo4b3o$2bobo2bo2b2obobo$2bo3b2o3b4o!",
     "xs4_33*4"},
    {"2o2b3o2b4obo$5bo4bo2b3o$o2b2ob3o4b2o$ob2obo6bo2bo$3o2bo3b3o3bo$3bob2o4bo2b2o$o2bo5bob"
     "o3bo$4b4o5bo$2obo2b3o4bo$4o3b2obo2bobo$obo2bo2bob3ob2o$b3o4bo4bobo$obobob2ob2ob2o$2b5"
     "o4b2o$o3bob2o3bo3bo$2obob3obob3obo!",
     "xs4_33*5 xs5_253*2 xp2_7*2"},
    {"2o7b2o4bo$3obobob4obo$b2o7b2ob2o$2bobobob3obo$bo4b3o2bob2o$ob3o4b2ob4o$2o3bobo2bobob2"
     "o$2obo4bo2b2obo$b2obob2obobo$bo2bo2bo3b2obo$2o2bo4bo$b2o2b3o2bobobo$o2bo4bobo$o3bo2bo"
     "2bob3o$o3b6obob3o$b3obo2b3o3b2o!",
     "xs6_696*2 xs4_33*2"},
    {"bo6b2o2b2o$3b5o2b2o2bo$2o2b6o2b2obo$bobob3obo2b2obo$2ob2o4b3o2bo$o2b4obo2bo2bo$o6b3ob"
     "3obo$bobo5b2o2bobo$b2o3b2obo2b3o$4obobo2bob3o$bobob2o3bob3o$4o6b2ob2o$2o2b3obob3obo$2"
     "bobob2o$2ob6o2b3obo$2ob2obo2b3obo!",
     "xs4_33*4 xp2_7*4 xs14_wggca52z2521*1"},
    {"2obob3obob3o$obo3bo2b2ob2o$2b2obo2b8o$3bob2o6b3o$ob2ob2obo4bobo$2o2b5obo2b2o$o2bobo7b"
     "3o$6bobob2obo$3bob3o2bo4bo$2o2bob3ob3ob2o$4o3bob5obo$3bo2bo3bo$ob4obobob3obo$2obobo5b"
     "ob2o$obo2b2o3bo4bo$4ob2o2b3o2b2o!",
     "xs6_696*2 xs4_33*2 xp2_7*2 xs6_356*1"},
    {"bob2o3bo3bobo$2b8o2b4o$3b3obo2bo3bo$o3b2ob2obobob2o$b3ob4obo$3ob2o2b2ob3o$3o6b2o3bo$b"
     "ob3o2bob3ob2o$o2bob3o3b4o$2obo3bo3bo2bo$b5ob2ob5o$2b2obo2bobob4o$b8o2bob3o$6o3b3o2bo$"
     "2b2ob2ob4o3bo$obo3b2ob2obo!",
     "xs4_33*42 xs6_696*40 xp2_7*30 xs5_253*10 xq4_153*8 xs7_2596*5 xs6_356*4"},
    {"o3b2o3bobo7bobo3b2o3bo$b3o5bo2b2o3b2o2bo5b3o$b2ob5o5bobo5b5ob2o$bob2ob2o2bobo5bobo2b2"
     "ob2obo$ob2obobobobo2bobo2bobobobob2obo$obob3obo2bob5obo2bob3obobo$2b2obob2obobo2bo2bo"
     "bob2obob2o$2b3obo2bo3b5o3bo2bob3o$2bo2b2o3b2ob5ob2o3b2o2bo$2o2bo2bo6b3o6bo2bo2b2o$3bo"
     "2bobob2ob5ob2obobo2bo$o3b2o2bob2o3bo3b2obo2b2o3bo$bobo2bo5b2o3b2o5bo2bobo$bo3bob2obob"
     "o5bobob2obo3bo$2bob2ob4o9b4ob2obo$5b7o7b7o$2bob2ob4o9b4ob2obo$bo3bob2obobo5bobob2obo3"
     "bo$bobo2bo5b2o3b2o5bo2bobo$o3b2o2bob2o3bo3b2obo2b2o3bo$3bo2bobob2ob5ob2obobo2bo$2o2bo"
     "2bo6b3o6bo2bo2b2o$2bo2b2o3b2ob5ob2o3b2o2bo$2b3obo2bo3b5o3bo2bob3o$2b2obob2obobo2bo2bo"
     "bob2obob2o$obob3obo2bob5obo2bob3obobo$ob2obobobobo2bobo2bobobobob2obo$bob2ob2o2bobo5b"
     "obo2b2ob2obo$b2ob5o5bobo5b5ob2o$b3o5bo2b2o3b2o2bo5b3o$o3b2o3bobo7bobo3b2o3bo!",
     "xp2_7*40"},
    {"o6bob2obo2bo2bob2obo6bo$5bo3bo3bobobo3bo3bo$2b2obo3b2o9b2o3bob2o$2b2obo2b2ob2ob3ob2ob"
     "2o2bob2o$5b5obobobobobob5o$b7o2b4o3b4o2b7o$4b2o5bo7bo5b2o$o3b2ob2obo3b3o3bob2ob2o3bo$"
     "3b2o2b2ob3ob3ob3ob2o2b2o$5o4bo2bob3obo2bo4b5o$obo2bob2o3bo5bo3b2obo2bobo$3b4obo2bo2bo"
     "bo2bo2bob4o$o2bobo2b3obo2bo2bob3o2bobo2bo$bo2b2o7b2ob2o7b2o2bo$3bo3b3obob5obob3o3bo$2"
     "ob2o2b3o2bobobobo2b3o2b2ob2o$3bo3b3obob5obob3o3bo$bo2b2o7b2ob2o7b2o2bo$o2bobo2b3obo2b"
     "o2bob3o2bobo2bo$3b4obo2bo2bobo2bo2bob4o$obo2bob2o3bo5bo3b2obo2bobo$5o4bo2bob3obo2bo4b"
     "5o$3b2o2b2ob3ob3ob3ob2o2b2o$o3b2ob2obo3b3o3bob2ob2o3bo$4b2o5bo7bo5b2o$b7o2b4o3b4o2b7o"
     "$5b5obobobobobob5o$2b2obo2b2ob2ob3ob2ob2o2bob2o$2b2obo3b2o9b2o3bob2o$5bo3bo3bobobo3bo"
     "3bo$o6bob2obo2bo2bob2obo6bo!",
     ""},
    {"2bo3b2o3b4ob4o3b2o3bo$2bobo2bo2b2obobobob2o2bo2bobo$7obo4b5o4bob7o$2bob3obo2b9o2bob3o"
     "bo$b6o2b3obobobob3o2b6o$2b7o2bob2ob2obo2b7o$ob4o4b2o3bo3b2o4b4obo$2o3bo4b2obobobob2o4"
     "bo3b2o$2b2obo3bo3b5o3bo3bob2o$4bo3bo3b2obob2o3bo3bo$bo2bob2o2b2ob2ob2ob2o2b2obo2bo$2o"
     "b5o2b3o5b3o2b5ob2o$o2bo5bobo2b3o2bobo5bo2bo$6ob4o2bobobo2b4ob6o$ob2obo2bobobob3obobob"
     "o2bob2obo$b4ob4o2b7o2b4ob4o$ob2obo2bobobob3obobobo2bob2obo$6ob4o2bobobo2b4ob6o$o2bo5b"
     "obo2b3o2bobo5bo2bo$2ob5o2b3o5b3o2b5ob2o$bo2bob2o2b2ob2ob2ob2o2b2obo2bo$4bo3bo3b2obob2"
     "o3bo3bo$2b2obo3bo3b5o3bo3bob2o$2o3bo4b2obobobob2o4bo3b2o$ob4o4b2o3bo3b2o4b4obo$2b7o2b"
     "ob2ob2obo2b7o$b6o2b3obobobob3o2b6o$2bob3obo2b9o2bob3obo$7obo4b5o4bob7o$2bobo2bo2b2obo"
     "bobob2o2bo2bobo$2bo3b2o3b4ob4o3b2o3bo!",
     "xs7_2596*8 xs5_253*8 xs4_33*8 xp2_7*4 xp2_318c*4"},
    {"2obob3obob3obob3obob3obob2o$o3bob2o3bo3bo3bo3b2obo3bo$2b5o4b2o5b2o4b5o$obobob2ob2ob2o"
     "3b2ob2ob2obobobo$b3o4bo4bobobo4bo4b3o$obo2bo2bob3ob3ob3obo2bo2bobo$4o3b2obo2bobobo2bo"
     "b2o3b4o$2obo2b3o4bo3bo4b3o2bob2o$4b4o5bo3bo5b4o$o2bo5bobo3bo3bobo5bo2bo$3bob2o4bo2b3o"
     "2bo4b2obo$3o2bo3b3o3bo3b3o3bo2b3o$ob2obo6bo2bo2bo6bob2obo$o2b2ob3o4b2ob2o4b3ob2o2bo$5"
     "bo4bo2b5o2bo4bo$2o2b3o2b4obobob4o2b3o2b2o$5bo4bo2b5o2bo4bo$o2b2ob3o4b2ob2o4b3ob2o2bo$"
     "ob2obo6bo2bo2bo6bob2obo$3o2bo3b3o3bo3b3o3bo2b3o$3bob2o4bo2b3o2bo4b2obo$o2bo5bobo3bo3b"
     "obo5bo2bo$4b4o5bo3bo5b4o$2obo2b3o4bo3bo4b3o2bob2o$4o3b2obo2bobobo2bob2o3b4o$obo2bo2bo"
     "b3ob3ob3obo2bo2bobo$b3o4bo4bobobo4bo4b3o$obobob2ob2ob2o3b2ob2ob2obobobo$2b5o4b2o5b2o4"
     "b5o$o3bob2o3bo3bo3bo3b2obo3bo$2obob3obob3obob3obob3obob2o!",
     "xs4_33*24 xs7_2596*8 xs18_rhe0ehr*4 xp2_7*4"},
    {"b3obo2b3o3b3o3b3o2bob3o$o3b6obob5obob6o3bo$o3bo2bo2bob3ob3obo2bo2bo3bo$o2bo4bobo9bobo"
     "4bo2bo$b2o2b3o2bobobobobobo2b3o2b2o$2o2bo4bo11bo4bo2b2o$bo2bo2bo3b2obobob2o3bo2bo2bo$"
     "b2obob2obobo7bobob2obob2o$2obo4bo2b2obobob2o2bo4bob2o$2o3bobo2bobob3obobo2bobo3b2o$ob"
     "3o4b2ob7ob2o4b3obo$bo4b3o2bob2ob2obo2b3o4bo$2bobobob3obo5bob3obobobo$b2o7b2ob2ob2ob2o"
     "7b2o$3obobob4obo3bob4obobob3o$2o7b2o4bo4b2o7b2o$3obobob4obo3bob4obobob3o$b2o7b2ob2ob2"
     "ob2o7b2o$2bobobob3obo5bob3obobobo$bo4b3o2bob2ob2obo2b3o4bo$ob3o4b2ob7ob2o4b3obo$2o3bo"
     "bo2bobob3obobo2bobo3b2o$2obo4bo2b2obobob2o2bo4bob2o$b2obob2obobo7bobob2obob2o$bo2bo2b"
     "o3b2obobob2o3bo2bo2bo$2o2bo4bo11bo4bo2b2o$b2o2b3o2bobobobobobo2b3o2b2o$o2bo4bobo9bobo"
     "4bo2bo$o3bo2bo2bob3ob3obo2bo2bo3bo$o3b6obob5obob6o3bo$b3obo2b3o3b3o3b3o2bob3o!",
     "xs6_696*8 xs4_33*8 xs10_g8o652z01*4"},
    {"2ob2obo2b3obo3bob3o2bob2ob2o$2ob6o2b3obob3o2b6ob2o$2bobob2o15b2obobo$2o2b3obob3obobob"
     "3obob3o2b2o$4o6b2ob2ob2ob2o6b4o$bobob2o3bob3ob3obo3b2obobo$4obobo2bob3ob3obo2bobob4o$"
     "b2o3b2obo2b3ob3o2bob2o3b2o$bobo5b2o2bobobo2b2o5bobo$o6b3ob3obob3ob3o6bo$o2b4obo2bo2bo"
     "bo2bo2bob4o2bo$2ob2o4b3o2bobo2b3o4b2ob2o$bobob3obo2b2obob2o2bob3obobo$2o2b6o2b2obob2o"
     "2b6o2b2o$3b5o2b2o2bobo2b2o2b5o$bo6b2o2b2o3b2o2b2o6bo$3b5o2b2o2bobo2b2o2b5o$2o2b6o2b2o"
     "bob2o2b6o2b2o$bobob3obo2b2obob2o2bob3obobo$2ob2o4b3o2bobo2b3o4b2ob2o$o2b4obo2bo2bobo2"
     "bo2bob4o2bo$o6b3ob3obob3ob3o6bo$bobo5b2o2bobobo2b2o5bobo$b2o3b2obo2b3ob3o2bob2o3b2o$4"
     "obobo2bob3ob3obo2bobob4o$bobob2o3bob3ob3obo3b2obobo$4o6b2ob2ob2ob2o6b4o$2o2b3obob3obo"
     "bob3obob3o2b2o$2bobob2o15b2obobo$2ob6o2b3obob3o2b6ob2o$2ob2obo2b3obo3bob3o2bob2ob2o!",
     "xs6_696*8 xs6_356*4"},
    {"4ob2o2b3o2b3o2b3o2b2ob4o$obo2b2o3bo4bo4bo3b2o2bobo$2obobo5bob2ob2obo5bobob2o$ob4obobo"
     "b3obob3obobob4obo$3bo2bo3bo9bo3bo2bo$4o3bob5obob5obo3b4o$2o2bob3ob3ob3ob3ob3obo2b2o$3"
     "bob3o2bo4bo4bo2b3obo$6bobob2obo3bob2obobo$o2bobo7b5o7bobo2bo$2o2b5obo2b2ob2o2bob5o2b2"
     "o$ob2ob2obo4bobobo4bob2ob2obo$3bob2o6b5o6b2obo$2b2obo2b15o2bob2o$obo3bo2b2ob2o3b2ob2o"
     "2bo3bobo$2obob3obob3o3b3obob3obob2o$obo3bo2b2ob2o3b2ob2o2bo3bobo$2b2obo2b15o2bob2o$3b"
     "ob2o6b5o6b2obo$ob2ob2obo4bobobo4bob2ob2obo$2o2b5obo2b2ob2o2bob5o2b2o$o2bobo7b5o7bobo2"
     "bo$6bobob2obo3bob2obobo$3bob3o2bo4bo4bo2b3obo$2o2bob3ob3ob3ob3ob3obo2b2o$4o3bob5obob5"
     "obo3b4o$3bo2bo3bo9bo3bo2bo$ob4obobob3obob3obobob4obo$2obobo5bob2ob2obo5bobob2o$obo2b2"
     "o3bo4bo4bo3b2o2bobo$4ob2o2b3o2b3o2b3o2b2ob4o!",
     "xp2_7*24 xp2_318c*4 xs4_252*1"},
    {"obo3b2ob2obo5bob2ob2o3bobo$2b2ob2ob4o3bo3b4ob2ob2o$6o3b3o2bobo2b3o3b6o$b8o2bob5obo2b8"
     "o$2b2obo2bobob7obobo2bob2o$b5ob2ob5ob5ob2ob5o$2obo3bo3bo2bobo2bo3bo3bob2o$o2bob3o3b4o"
     "b4o3b3obo2bo$bob3o2bob3ob3ob3obo2b3obo$3o6b2o3bobo3b2o6b3o$3ob2o2b2ob3o3b3ob2o2b2ob3o"
     "$b3ob4obo9bob4ob3o$o3b2ob2obobob3obobob2ob2o3bo$3b3obo2bo3bobo3bo2bob3o$2b8o2b7o2b8o$"
     "bob2o3bo3bobobobo3bo3b2obo$2b8o2b7o2b8o$3b3obo2bo3bobo3bo2bob3o$o3b2ob2obobob3obobob2"
     "ob2o3bo$b3ob4obo9bob4ob3o$3ob2o2b2ob3o3b3ob2o2b2ob3o$3o6b2o3bobo3b2o6b3o$bob3o2bob3ob"
     "3ob3obo2b3obo$o2bob3o3b4ob4o3b3obo2bo$2obo3bo3bo2bobo2bo3bo3bob2o$b5ob2ob5ob5ob2ob5o$"
     "2b2obo2bobob7obobo2bob2o$b8o2bob5obo2b8o$6o3b3o2bobo2b3o3b6o$2b2ob2ob4o3bo3b4ob2ob2o$"
     "obo3b2ob2obo5bob2ob2o3bobo!",
     "xs4_33*24 xs6_696*8 xs5_253*8 xp2_7*8"},
    {"4o5bob3obob3obo5b4o$obobobobob3ob3ob3obobobobobo$4o2b3obob7obob3o2b4o$ob2obo3b3o3bo3b"
     "3o3bob2obo$bo4b2obo2b2o3b2o2bob2o4bo$3bo2bob2o4b3o4b2obo2bo$b2ob5o3b2obob2o3b5ob2o$2b"
     "obob2obob4ob4obob2obobo$b2o2b2obo4bobobo4bob2o2b2o$o2b3obo3bo2b3o2bo3bob3o2bo$b3o8b2o"
     "3b2o8b3o$2obo3bobobob5obobobo3bob2o$3obob2o2bo2bobobo2bo2b2obob3o$obobob3ob3o5b3ob3ob"
     "obobo$b2o2bobobobo2b3o2bobobobo2b2o$4ob2ob2ob2ob3ob2ob2ob2ob4o$b2o2bobobobo2b3o2bobob"
     "obo2b2o$obobob3ob3o5b3ob3obobobo$3obob2o2bo2bobobo2bo2b2obob3o$2obo3bobobob5obobobo3b"
     "ob2o$b3o8b2o3b2o8b3o$o2b3obo3bo2b3o2bo3bob3o2bo$b2o2b2obo4bobobo4bob2o2b2o$2bobob2obo"
     "b4ob4obob2obobo$b2ob5o3b2obob2o3b5ob2o$3bo2bob2o4b3o4b2obo2bo$bo4b2obo2b2o3b2o2bob2o4"
     "bo$ob2obo3b3o3bo3b3o3bob2obo$4o2b3obob7obob3o2b4o$obobobobob3ob3ob3obobobobobo$4o5bob"
     "3obob3obo5b4o!",
     "xs7_2596*8 xs4_252*1"},
    {"3o2b3o3b4ob4o3b3o2b3o$o3b3o3bo2bo3bo2bo3b3o3bo$o2bob5o2bob3obo2b5obo2bo$2bo11b3o11bo$"
     "bo2bobobobob7obobobobo2bo$3o2b2o2bobob5obobo2b2o2b3o$3ob4obob2ob3ob2obob4ob3o$obo3bo2"
     "bob2o5b2obo2bo3bobo$2bobo3bobo2b2ob2o2bobo3bobo$2bo2b3o2b2o7b2o2b3o2bo$bo2bo3b5obobob"
     "5o3bo2bo$o4b3ob2ob3ob3ob2ob3o4bo$obobob2o2b5ob5o2b2obobobo$2o2b2o2bo2b4ob4o2bo2b2o2b2"
     "o$ob5obob4o3b4obob5obo$2b5o17b5o$ob5obob4o3b4obob5obo$2o2b2o2bo2b4ob4o2bo2b2o2b2o$obo"
     "bob2o2b5ob5o2b2obobobo$o4b3ob2ob3ob3ob2ob3o4bo$bo2bo3b5obobob5o3bo2bo$2bo2b3o2b2o7b2o"
     "2b3o2bo$2bobo3bobo2b2ob2o2bobo3bobo$obo3bo2bob2o5b2obo2bo3bobo$3ob4obob2ob3ob2obob4ob"
     "3o$3o2b2o2bobob5obobo2b2o2b3o$bo2bobobobob7obobobobo2bo$2bo11b3o11bo$o2bob5o2bob3obo2"
     "b5obo2bo$o3b3o3bo2bo3bo2bo3b3o3bo$3o2b3o3b4ob4o3b3o2b3o!",
     "xp2_318c*4"},
    {NULL, NULL},
};
