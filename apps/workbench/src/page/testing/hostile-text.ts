/** Each sets `window.harm`, loads something, or covers the page, if anything in it works. */
export const hostileHtml = `<script>window.harm = 'script'</script>
<img src="x" onerror="window.harm = 'onerror'">
<svg onload="window.harm = 'svg'"><script>window.harm = 'svg script'</script></svg>
<svg><foreignObject><iframe srcdoc="<script>parent.harm = 1</script>"></iframe></foreignObject></svg>
<math><mtext><style><img src=x onerror="window.harm = 'math'"></style></mtext></math>
<iframe src="javascript:parent.harm = 'iframe'"></iframe>
<object data="javascript:window.harm = 'object'"></object>
<form action="javascript:window.harm = 'form'"><button>press me</button></form>
<details open ontoggle="window.harm = 'toggle'"><summary>details</summary></details>
<style>body { display: none }</style>
<link rel="stylesheet" href="https://evil.example/x.css">
<p style="position: fixed; inset: 0; z-index: 99; background: url(https://evil.example/a.png)">covers</p>
<div class="dialog toast" id="main" title="tool">a class of ours</div>
<a href="javascript:window.harm = 'link'">html link</a>
<a href=" &#106;avascript:window.harm = 'entity'">entity link</a>
<a href="data:text/html,<script>window.harm = 1</script>">data link</a>
<table background="https://evil.example/b.png"><tr><td>cell</td></tr></table>
<img srcset="https://evil.example/c.png 1x" src="https://evil.example/d.png" alt="far away">
<video poster="https://evil.example/e.png" src="https://evil.example/f.mp4" autoplay></video>
<base href="https://evil.example/">
<meta http-equiv="refresh" content="0; url=https://evil.example/">
<img src="/api/servers/x/tools?refresh=1" alt="our own api">
`;
/** The same in Markdown. */
export const hostileMarkdown = `
[markdown link](javascript:window.harm='markdown')
![picture](javascript:window.harm='picture')
![far](https://evil.example/g.png)
[reference][r]
<javascript:window.harm='autolink'>
[[<img src=x onerror="window.harm = 'wiki'">]]

[r]: javascript:window.harm='reference'
`;
