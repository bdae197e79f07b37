/** Made from the package mime-db, which joins the public registries, by test/media/media-types.test.ts. */
export const REGISTERED_EXTENSIONS = `
3ds 3g2 3gp 3gpp aac adp adts aif aifc aiff amr apng asf asx au avci avcs avi avif azv b16 bmp btf btif caf cgm
cmx dds dib djv djvu dng dpx dra drle dts dtshd dvb dwg dxf ecelp4800 ecelp7470 ecelp9600 emf eol exr f4v fbs
fh fh4 fh5 fh7 fhc fits flac fli flv fpx fst fvt g3 gif h261 h263 h264 heic heics heif heifs hej2 ico ief jaii
jais jfif jhc jls jng jp2 jpe jpeg jpf jpg jpg2 jpgm jpgv jph jpm jpx jxl jxr jxra jxrs jxs jxsc jxsi jxss kar
ktx ktx2 lvp m1v m2a m2t m2ts m2v m3a m3u m4a m4b m4s m4u m4v mdi mid midi mj2 mjp2 mk3d mka mks mkv mmr mng
mov movie mp2 mp2a mp3 mp4 mp4a mp4v mpe mpeg mpg mpg4 mpga mts mxmf mxu npx oga ogg ogv opus pbm pct pcx pgm
pic png pnm ppm psd pti pya pyv qt ra ram ras rgb rip rlc rmi rmp s3m sgi sid sil smv snd spx sub svg svgz t38
tap tfx tga tif tiff ts uva uvg uvh uvi uvm uvp uvs uvu uvv uvva uvvg uvvh uvvi uvvm uvvp uvvs uvvu uvvv viv
vob vtf wav wax wbmp wdp weba webm webp wm wma wmf wmv wmx wvx xbm xif xm xpm xwd
`;
