// Traditional characters that occur in the words of computing, each followed by its simplified form. Words that differ
// as words (記憶體, 內存) are the glossary's concern.
const pairs =
  '體体顯显內内鎖锁頁页線线緒绪啟启動动運运雲云網网絡络機机構构櫃柜計计記记錄录設设訓训練练識识說说調调優优測测試试評评語语詞词請请詢询該该認认變变數数據据庫库儲储緩缓衝冲處处驅驱開开關关閉闭問问題题類类' +
  '項项頻频電电壓压溫温熱热節节點点連连徑径邊边進进過过還还這这遠远遲迟選选擇择擴扩張张強强彈弹維维繫系統统級级約约縮缩減减總总結结給给編编譯译碼码寫写讀读層层屬属幣币幀帧廣广應应異异並并佈布佔占傳传輸输' +
  '轉转換换軟软載载輪轮較较輕轻輔辅迴回歸归圖图國国團团塊块場场壞坏執执單单叢丛雙双號号葉叶嗎吗喚唤響响嚴严廠厂歷历參参發发僅仅倉仓個个們们價价側侧偵侦債债傾倾儀仪億亿兩两凍冻準准幾几劃划則则剛刚創创刪删' +
  '劑剂務务勢势勞劳勝胜區区協协卻却圍围圓圆墊垫報报奪夺獲获獨独獎奖對对導导將将專专尋寻島岛帶带幫帮幹干廢废後后徹彻從从復复徵征態态憶忆慣惯慮虑憑凭戰战戶户掃扫掛挂採采揮挥損损搶抢搖摇撥拨擊击擋挡擔担擬拟' +
  '擁拥攔拦攝摄敗败敵敌斷断於于時时曉晓暫暂會会東东條条棧栈極极樣样標标樞枢橋桥檔档檢检權权歐欧殘残氣气決决沒没淨净淺浅潛潜滿满漸渐濾滤濕湿災灾為为無无營营爭争狀状現现環环瑣琐產产畫画當当療疗監监盤盘盡尽' +
  '眾众礎础種种稱称積积穩稳窮穷競竞筆笔簡简簽签粵粤糾纠納纳純纯紋纹細细終终組组經经綁绑綱纲緊紧締缔緣缘縱纵織织繞绕繼继續续纜缆罰罚羅罗習习聯联聲声職职腦脑臨临與与興兴舉举舊旧華华萬万藍蓝蘊蕴虛虚補补裝装' +
  '裏里製制複复視视覺觉觀观規规觸触訂订討讨許许訴诉診诊證证詳详誤误課课論论諸诸謀谋講讲謝谢護护豐丰負负財财責责貨货費费貼贴資资賴赖購购賽赛質质贏赢跡迹蹤踪車车軌轨軸轴輯辑輩辈轟轰辦办農农遞递適适遺遗郵邮' +
  '鄰邻釋释針针鈕钮鉤钩銜衔鋪铺錢钱錯错鍵键鎮镇鏈链鏡镜鐘钟長长門门閃闪間间閘闸閱阅闊阔隊队陣阵陰阴陳陈陸陆階阶際际隨随險险隱隐雜杂離离難难靜静頂顶順顺須须預预領领頭头顆颗額额願愿顧顾飛飞餘余驗验驟骤髮发' +
  '魚鱼鮮鲜麼么黃黄齊齐龍龙臺台灣湾佇伫憲宪紐纽碩硕臟脏趨趋屜屉鑰钥鑒鉴鋁铝銅铜鐵铁鑽钻檯台邏逻輻辐躍跃邁迈篩筛籤签範范築筑縫缝繪绘罷罢聽听膠胶艙舱藝艺衛卫訊讯訪访遷迁併并裡里疊叠議议擾扰攤摊擠挤偽伪亂乱' +
  '棄弃餓饿飢饥夠够綜综術术誌志託托癱瘫壘垒漲涨滯滞瀏浏雖虽儘尽鬆松羣群啓启脈脉剝剥誰谁顛颠';

const simplified: ReadonlyMap<string, string> = new Map(
  Array.from({ length: pairs.length / 2 }, (_, pair) => [pairs.charAt(2 * pair), pairs.charAt(2 * pair + 1)]),
);

/** A text in the form that search compares; case is kept, because capitals part the words of an identifier. */
export interface Folded {
  readonly text: string;
  /** The place in the source of each code unit of `text`, and at the end the length of the source. */
  readonly at: Uint32Array;
}

/** What may change: all but ASCII, common punctuation and the simplified among the unified ideographs. */
const foldable = new RegExp(
  `[${[...simplified.keys()].join('')}]|[^\\n\\u0020-\\u007e\\u3001-\\u303f\\u4e00-\\u9fff]`,
  'gu',
);

/**
 * Compatibility forms (full-width letters, ligatures) become plain ones, traditional characters of the field simplified
 * ones. Controls, lone surrogates and private-use characters become blanks. Linear in the length of the text.
 */
export function fold(source: string): Folded {
  const parts: string[] = [];
  // One code unit may become several: the longest compatibility form has 18.
  let at = new Uint32Array(source.length + 1);
  let length = 0;
  const append = (text: string, placeOf: (unit: number) => number) => {
    if (length + text.length >= at.length) {
      const longer = new Uint32Array(2 * (length + text.length) + 1);
      longer.set(at);
      at = longer;
    }
    for (let unit = 0; unit < text.length; unit++) at[length + unit] = placeOf(unit);
    length += text.length;
    parts.push(text);
  };
  let place = 0;
  for (const { 0: character, index } of source.matchAll(foldable)) {
    const [start, end] = [place, index];
    if (end > start) append(source.slice(start, end), (unit) => start + unit);
    append(foldOne(character), () => index);
    place = index + character.length;
  }
  const rest = place;
  append(source.slice(rest), (unit) => rest + unit);
  at[length] = source.length;
  return { text: parts.join(''), at: at.subarray(0, length + 1) };
}

function foldOne(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f || code === 0xfeff || code >= 0xf0000) return ' ';
  if (code >= 0xd800 && code <= 0xf8ff) return ' ';
  return simplified.get(character) ?? character.normalize('NFKC');
}
