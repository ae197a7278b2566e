// Speeds up the first picture. The build inserts the text of this script into index.html, so that
// the script runs before the modules have arrived. The script opens the socket and requests a
// picture of all live cells. The module first.js shows the picture of all live cells. The module
// connection.js takes over the socket and the messages received so far.

(() => {
    const words = [location.hash.slice(1), location.search.slice(1)];
    const token = words.map((each) => new URLSearchParams(each).get('token')).find(Boolean) ?? '';
    const address = new URL('./socket', location.origin + location.pathname).href;
    const kept = (/** @type {string} */ name) => {
        try {
            return sessionStorage.getItem(`lightcone.${name}`) ?? '';
        } catch {
            return ''; // as storage.js does
        }
    };
    const key = kept('key');
    const socket = new WebSocket(address.replace(/^http/, 'ws'), [
        'lightcone-view', ...(token === '' ? [] : [`token.${token}`]),
        ...(key === '' ? [] : [`key.${key}`]),
    ]);
    /**
     * The socket and the received messages, for first.js and connection.js.
     * @type {{socket: WebSocket, token: string, heard: MessageEvent[], box: any}}
     */
    const early = { socket, token, heard: [], box: null };
    const say = (/** @type {object} */ message) => socket.send(JSON.stringify(message));
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (event) => {
        early.heard.push(event);
        const { is, box } = typeof event.data === 'string' ? JSON.parse(event.data) : {};
        // If the tab has stored a view, main.js restores it.
        if (is !== 'universe' || !box || kept('place') !== '') return;
        // If the box has integers beyond 2^53, which the server sends as strings, leave the box to
        // main.js.
        if (![box.x, box.y, box.width, box.height].every(Number.isSafeInteger)) return;
        early.box = box;
        const times = Math.max(box.width / innerWidth, box.height / innerHeight);
        const scale = Math.max(0, Math.ceil(Math.log2(times)));
        if (scale > 15) return; // above scale 15, requests have coordinates in another unit
        const side = 2 ** scale;
        const [x, y] = [Math.floor(box.x / side), Math.floor(box.y / side)];
        say({
            do: 'look', look: 0, scale, x: x * side, y: y * side,
            width: Math.ceil((box.x + box.width) / side) - x,
            height: Math.ceil((box.y + box.height) / side) - y,
            pieces: true,
        });
    };
    Object.assign(window, { lightcone_early: early });
})();
