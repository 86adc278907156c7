(() => {
  const box = document.getElementById('hash-check');
  const lines = [...box.querySelectorAll('li')];
  const chosen = new Map();
  const say = (line, word, kind) => {
    const state = line.querySelector('output');
    state.textContent = word;
    state.className = kind;
  };
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const hash = async data => {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
    return [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('');
  };
  const compare = (line, found, due) => found === due
    ? say(line, '✓ the same', 'yes')
    : say(line, '✗ differs: ' + found, 'no');
  const number = (found, panels) => {
    const first = BigInt('0x' + found.slice(0, 15));
    return String(panels ? first % BigInt(panels) + 1n : first);
  };
  const check = async () => {
    const found = [];
    let lot;
    for (const line of lines) {
      const { file, sha256, lines: template, panels } = line.dataset;
      if (file) {
        const data = chosen.get(file) ?? (line.dataset.bytes && bytes(line.dataset.bytes));
        if (!data) {
          say(line, '– choose this file below', 'open');
          continue;
        }
        found.push(await hash(data));
        compare(line, found.at(-1), sha256);
      } else if (template && found.length > 1) {
        const text = new TextDecoder().decode(bytes(template));
        const filled = text.replace('{commitment}', found[0]).replace('{randomness}', found[1]);
        lot = await hash(new TextEncoder().encode(filled));
        compare(line, lot, sha256);
      } else if (lot) {
        compare(line, number(lot, panels), line.dataset.number);
      } else {
        say(line, '– follows from both files', 'open');
      }
    }
  };
  const run = () => {
    if (!globalThis.crypto?.subtle) {
      for (const line of lines) say(line, '– save this page and open the copy: this browser computes hashes only there', 'open');
      return;
    }
    check();
  };
  box.querySelector('button').addEventListener('click', run);
  box.querySelector('input').addEventListener('change', async event => {
    for (const file of event.target.files) chosen.set(file.name, new Uint8Array(await file.arrayBuffer()));
    run();
  });
  box.hidden = false;
})();
