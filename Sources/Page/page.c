#include "Page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char add_js[] = {
#embed "page/add.js"
};
static const unsigned char bar_js[] = {
#embed "page/bar.js"
};
static const unsigned char clip_js[] = {
#embed "page/clip.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char curves_js[] = {
#embed "page/curves.js"
};
static const unsigned char desk_js[] = {
#embed "page/desk.js"
};
static const unsigned char drawing_js[] = {
#embed "page/drawing.js"
};
static const unsigned char events_js[] = {
#embed "page/events.js"
};
static const unsigned char fader_js[] = {
#embed "page/fader.js"
};
static const unsigned char follow_js[] = {
#embed "page/follow.js"
};
static const unsigned char handle_js[] = {
#embed "page/handle.js"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char inview_js[] = {
#embed "page/inview.js"
};
static const unsigned char lanes_js[] = {
#embed "page/lanes.js"
};
static const unsigned char law_js[] = {
#embed "page/law.js"
};
static const unsigned char loudness_js[] = {
#embed "page/loudness.js"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char make_js[] = {
#embed "page/make.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "page/manifest.webmanifest"
};
static const unsigned char meter_js[] = {
#embed "page/meter.js"
};
static const unsigned char mixer_js[] = {
#embed "page/mixer.js"
};
static const unsigned char osc_js[] = {
#embed "page/osc.js"
};
static const unsigned char panel_js[] = {
#embed "page/panel.js"
};
static const unsigned char pass_js[] = {
#embed "page/pass.js"
};
static const unsigned char patch_js[] = {
#embed "page/patch.js"
};
static const unsigned char ramp_js[] = {
#embed "page/ramp.js"
};
static const unsigned char row_js[] = {
#embed "page/row.js"
};
static const unsigned char ruler_js[] = {
#embed "page/ruler.js"
};
static const unsigned char strip_js[] = {
#embed "page/strip.js"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char texts_js[] = {
#embed "page/texts.js"
};
static const unsigned char timeline_js[] = {
#embed "page/timeline.js"
};
static const unsigned char upload_js[] = {
#embed "page/upload.js"
};
static const unsigned char view_js[] = {
#embed "page/view.js"
};
static const unsigned char waveform_js[] = {
#embed "page/waveform.js"
};
static const unsigned char widget_js[] = {
#embed "page/widget.js"
};

static const struct page_file files[] = {
    {"add.js", add_js, sizeof add_js},
    {"bar.js", bar_js, sizeof bar_js},
    {"clip.js", clip_js, sizeof clip_js},
    {"controls.js", controls_js, sizeof controls_js},
    {"curves.js", curves_js, sizeof curves_js},
    {"desk.js", desk_js, sizeof desk_js},
    {"drawing.js", drawing_js, sizeof drawing_js},
    {"events.js", events_js, sizeof events_js},
    {"fader.js", fader_js, sizeof fader_js},
    {"follow.js", follow_js, sizeof follow_js},
    {"handle.js", handle_js, sizeof handle_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"index.html", index_html, sizeof index_html},
    {"inview.js", inview_js, sizeof inview_js},
    {"lanes.js", lanes_js, sizeof lanes_js},
    {"law.js", law_js, sizeof law_js},
    {"loudness.js", loudness_js, sizeof loudness_js},
    {"main.js", main_js, sizeof main_js},
    {"make.js", make_js, sizeof make_js},
    {"manifest.webmanifest", manifest_webmanifest, sizeof manifest_webmanifest},
    {"meter.js", meter_js, sizeof meter_js},
    {"mixer.js", mixer_js, sizeof mixer_js},
    {"osc.js", osc_js, sizeof osc_js},
    {"panel.js", panel_js, sizeof panel_js},
    {"pass.js", pass_js, sizeof pass_js},
    {"patch.js", patch_js, sizeof patch_js},
    {"ramp.js", ramp_js, sizeof ramp_js},
    {"row.js", row_js, sizeof row_js},
    {"ruler.js", ruler_js, sizeof ruler_js},
    {"strip.js", strip_js, sizeof strip_js},
    {"style.css", style_css, sizeof style_css},
    {"texts.js", texts_js, sizeof texts_js},
    {"timeline.js", timeline_js, sizeof timeline_js},
    {"upload.js", upload_js, sizeof upload_js},
    {"view.js", view_js, sizeof view_js},
    {"waveform.js", waveform_js, sizeof waveform_js},
    {"widget.js", widget_js, sizeof widget_js},
    {0, 0, 0},
};

const struct page_file *page_files(void) { return files; }
