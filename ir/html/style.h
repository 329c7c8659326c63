// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The style sheet and the script of the page that to_html writes. For ir/html.cc.
#pragma once

namespace vyre::internal {

inline constexpr const char* kHtmlStyle = R"css(
:root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--soft:#59636e;--line:#d1d9e0;--panel:#f6f8fa;
--key:#a0111f;--fun:#6639ba;--num:#0550ae;--str:#0a6640;--buf:#8a4600;--err:#b3261e;--errbg:#fdecea;
--warn:#7a5200;--warnbg:#fff4d6;--link:#0550ae}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#9198a1;--line:#30363d;
--panel:#151b23;--key:#ff8a80;--fun:#d2a8ff;--num:#79c0ff;--str:#7ee2a8;--buf:#ffb77c;--err:#ff8a80;
--errbg:#3a1614;--warn:#f2cc60;--warnbg:#332701;--link:#79c0ff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem clamp(1rem,3vw,3rem) 4rem;max-width:100rem;background:var(--bg);
color:var(--fg);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:2rem 0 .5rem}
code,pre,.code,.hash{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:13px}
a{color:var(--link)}
.facts{color:var(--soft);margin:0;overflow-wrap:anywhere}
.two{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:0 3rem;align-items:start}
@media (max-width:75rem){.two{grid-template-columns:minmax(0,1fr)}}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;
white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
thead th{background:var(--panel);font-weight:600;color:var(--soft)}
tbody th{font-weight:600}
.r{text-align:right;font-variant-numeric:tabular-nums}
pre{margin:0;padding:.6rem .9rem;white-space:pre-wrap}
.bar{display:flex;gap:.5rem;align-items:baseline;justify-content:space-between}
button{font:inherit;font-size:13px;color:inherit;background:var(--panel);border:1px solid var(--line);
border-radius:6px;padding:.15rem .6rem;cursor:pointer}
.code{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:.5rem 0;line-height:1.55}
.code>div,.code>details{min-width:max-content}
.l{white-space:pre;padding-right:1rem;display:block}
summary{list-style:none;cursor:pointer}
summary::-webkit-details-marker{display:none}
.l::before{content:attr(data-n) "\a0\a0\a0";display:inline-block;min-width:4.5rem;
text-align:right;color:var(--soft);opacity:.75;user-select:none;-webkit-user-select:none}
summary.l::before{content:attr(data-n) "\a0\25be\a0"}
details:not([open])>summary.l::before{content:attr(data-n) "\a0\25b8\a0";opacity:1}
details:not([open])>summary.l::after{content:" \2026";color:var(--soft)}
summary:hover,.l:hover{background:var(--panel)}
:focus-visible{outline:2px solid var(--link);outline-offset:-2px}
i{font-style:normal}
.k{color:var(--key)}.f{color:var(--fun)}.n{color:var(--num)}.s{color:var(--str)}.b{color:var(--buf)}
.v,.b{text-decoration:underline dotted transparent}
.v:hover,.b:hover{text-decoration-color:currentColor}
[data-t]::after{content:attr(data-t);color:var(--soft);user-select:none;-webkit-user-select:none}
.d{border-left:3px solid;padding:.3rem .75rem;border-radius:0 6px 6px 0;font:14px/1.5 system-ui,sans-serif;
white-space:normal;width:fit-content;max-width:min(60rem,85vw);overflow-wrap:anywhere}
.code .d{margin-left:calc(4.5rem + var(--i)*7.83px);margin-top:.15rem;margin-bottom:.3rem}
.d>b:first-child{white-space:nowrap}
.error{background:var(--errbg);border-color:var(--err)}.error>b:first-child{color:var(--err)}
.warning{background:var(--warnbg);border-color:var(--warn)}.warning>b:first-child{color:var(--warn)}
.d:target{outline:2px solid var(--link)}
.fix{display:block}
.d code,.place{color:var(--soft);font-size:12.5px}
ol.all{list-style:none;margin:0;padding:0;display:grid;gap:.4rem}
@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:10pt}button{display:none}
.code,.scroll{border:0;overflow:visible}.l{white-space:pre-wrap}.code>div,.code>details{min-width:0}
.d{break-inside:avoid}}
)css";

// Nothing is lost without it.
inline constexpr const char* kHtmlScript = R"js(
(() => {
  const folds = document.querySelectorAll('.code details');
  const all = open => folds.forEach(fold => { fold.open = open; });
  const reveal = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    if (target) target.scrollIntoView({block: 'center'});
  };
  for (const button of document.querySelectorAll('[data-all]')) {
    button.hidden = folds.length === 0;
    button.addEventListener('click', () => all(button.dataset.all === 'open'));
  }
  addEventListener('beforeprint', () => all(true));
  addEventListener('hashchange', reveal);
  reveal();
})();
)js";

}  // namespace vyre::internal
