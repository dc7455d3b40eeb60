/** The English words that the database's `english` configuration leaves out, of PostgreSQL's `english.stop`. */
const english =
  'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it ' +
  'its itself they them their theirs themselves what which who whom this that these those am is are was were be been ' +
  'being have has had having do does did doing a an the and but if or because as until while of at by for with about ' +
  'against between into through during before after above below to from up down in out on off over under again further ' +
  'then once here there when where why how all any both each few more most other some such no nor not only own same so ' +
  'than too very s t can will just don should now';

/** Chinese words that say how something is asked, not what is looked for. */
const chinese =
  '的 了 是 在 和 与 或 及 对 有 吗 呢 吧 把 被 让 给 从 到 向 为 以 于 也 都 就 还 而 则 但 并 且 这 那 其 该 个 些 请 ' +
  '怎么 怎样 如何 什么 为什么 为何 哪些 哪个 哪里 是否 可以 能否 能不能 是不是 有没有 请问 怎么办 多少 一个 一些 这个 那个 ' +
  '我们 你们 他们 它们 我 你 他 它 因为 所以 但是 如果 以及 并且 或者 时候 之前 之后 时 中 上 下 里 后 前 吗 会 要 能 应该 需要';

/**
 * How a question is asked in Chinese. The segmenter parts these, and 办 of 怎么办 is found in 办法, so they are taken out
 * before it sees them. No single character such as 能 or 要 goes with them: it may belong to 性能 or 主要.
 */
const questionPhrase = new RegExp(
  [
    '(?:请问|想问|问一下|请教)(?:一下)?',
    '(?:怎么|怎样|如何)(?:才能|能够)?(?:办(?![公理])|样(?!本)|回事|解决|处理(?!器)|做(?!法)|弄|搞)?',
    '(?:为什么|为啥|(?<!因)为何)(?:总是|老是|这么|那么)?',
    '[是有]?(?:什么|哪些)(?:好的|好)?(?:办法|方法|原因|意思|区别)?',
    '(?:是不是|是否|有没有|能不能|能否|可不可以|可否|要不要|该不该|会不会|需不需要)(?:办法|方法)?',
    '哪(?:个|种|里|一个|一种)',
    '多少|咋办|咋样',
    '[吗呢吧嘛呀]+$',
  ].join('|'),
  'gu',
);

/** The parts of a run of Han characters that only ask, with their places in code units. */
export function questionPhrasesIn(run: string): readonly { readonly start: number; readonly end: number }[] {
  return Array.from(run.matchAll(questionPhrase), ({ 0: phrase, index }) => ({
    start: index,
    end: index + phrase.length,
  }));
}

const words = new Set([...english.split(' '), ...chinese.split(' ')]);

/** True for a word that finds nothing in particular; English words in lower case. */
export function isStopWord(word: string): boolean {
  return words.has(word);
}
