import { cutText } from '../cut-text.js';
import { error, type ImportProblem } from './importer.js';
import { lineAt } from './line-at.js';

/** What people send by mistake in place of a result: what it is, and what to do; null for anything else. */
export function otherContent(text: string): ImportProblem | null {
  const start = text.slice(0, 2_000);
  if (/^\s*<(?:!doctype\s+html|html)\b/i.test(start)) {
    return refusal(
      'The content is a web page, no result: download the raw file, or send what the tool printed',
      '内容是网页而不是结果：请下载原始文件，或发送工具打印的内容',
    );
  }
  if (/^version https:\/\/git-lfs\.github\.com\/spec\//.test(start)) {
    return refusal(
      'The content is a pointer of Git LFS, no result: fetch the file itself with git lfs pull',
      '内容是 Git LFS 指针而不是结果：请用 git lfs pull 取回文件本身',
    );
  }
  if (isTopology(text)) {
    return refusal(
      'The content is the topology of nvidia-smi topo -m, which measures nothing: read it as facts of the machine with tunebook detect',
      '内容是 nvidia-smi topo -m 的拓扑信息，不含测量结果：请用 tunebook detect 作为机器信息读取',
    );
  }
  const at = text.lastIndexOf('Traceback (most recent call last):');
  if (at === -1) return null;
  const said = cutText(text.slice(at).trimEnd().split('\n').at(-1)?.trim() ?? '', 200);
  return refusal(
    `The tool ended with an error and printed no result: ${said}`,
    `工具出错退出，没有打印结果：${said}`,
    lineAt(text, at),
  );
}

/** In front of the heading stand blanks, and what is left of the underlining where its escape character was lost. */
const topologyHeading =
  /^(?:[^\w\n]{0,20}|[^\w\n]{0,20}\[\d{0,3}m[^\w\n]{0,20})GPU0[ \t]+(?:GPU\d|NIC\d|mlx\d|CPU Affinity)/m;
const topologyRow = /^[^\w\n]{0,20}GPU\d{1,3}[ \t]+(?:(?:NV\d{1,2}|SYS|NODE|PHB|PXB|PIX|SOC)[ \t]+){0,64}X(?:[ \t]|$)/m;
const otherMatrix = /^[^\w\n]{0,20}GPU\d{1,3}[ \t].*[ \t](?:OK|CNS|GNS|TNS|NS|DR)(?:[ \t]|$)/m;
const topologyLegend = /^[^\w\n]{0,20}(?:SYS|NODE|PHB|PXB|PIX|NV#)[ \t]*= Connection traversing /m;

/** The matrix of `nvidia-smi topo -m`, its legend, or both, wherever they stand. */
function isTopology(text: string): boolean {
  if (topologyLegend.test(text)) return true;
  return topologyHeading.test(text) && topologyRow.test(text) && !otherMatrix.test(text);
}

function refusal(en: string, zh: string, line: number | null = null): ImportProblem {
  return error(line, en, zh, { code: 'UNRECOGNIZED' });
}
