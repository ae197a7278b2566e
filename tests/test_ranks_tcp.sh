#!/usr/bin/env bash
# Ranks that reach each other over TCP alone, as those of two machines do: in two network namespaces
# with a cable between them, and no memory that they share.
# Usage: test_ranks_tcp.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any, 77 where namespaces cannot be made.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_ranks.sh"

skip() {
    echo "skipped: $1"
    exit 77
}

command -v ip >/dev/null || skip "there is no ip (of iproute2)"
[ "$(id -u)" = 0 ] || skip "network namespaces need root"
one=lightcone-$$-1
two=lightcone-$$-2
ip netns add "$one" 2>/dev/null || skip "no network namespaces here"
remove_namespaces() {
    ip netns delete "$one"
    ip netns delete "$two"
}
ip netns add "$two" || { ip netns delete "$one" && skip "no second network namespace"; }
begin "$@"
new_session
trap '[ "$BASHPID" != $$ ] || { remove_namespaces; rm -rf "$work"; }' EXIT
ip -n "$one" link add cable type veth peer name cable netns "$two" || skip "no virtual cable"

# A namespace, and the address that the other end knows.
for end in "$one 192.0.2.1" "$two 192.0.2.2"; do
    read -r name address <<<"$end"
    ip -n "$name" link set lo up
    ip -n "$name" address add "$address/24" dev cable
    ip -n "$name" link set cable up
done

# What mpirun calls instead of ssh: AGENT HOST COMMAND. The hosts are those two addresses.
cat >agent <<END
#!/bin/bash
case \$1 in
192.0.2.1) name=$one ;;
*) name=$two ;;
esac
shift
exec ip netns exec "\$name" /bin/bash -c "\$*"
END
chmod +x agent

# ranks ARGUMENT...: two at each end of the cable; mpirun sits at the first one.
ranks() {
    env -u OMPI_MCA_plm OMPI_MCA_plm_rsh_agent="$work/agent" OMPI_MCA_btl=self,tcp OMPI_MCA_pml=ob1 \
        timeout -s KILL 300 ip netns exec "$one" mpirun --host 192.0.2.1:2,192.0.2.2:2 -n 4 \
        --mca btl_tcp_if_include cable --mca oob_tcp_if_include cable \
        "$lightcone" "$@" </dev/null
}

sent() { # bytes that have gone over the cable
    ip netns exec "$one" cat /sys/class/net/cable/statistics/tx_bytes
}

for board in "torus 900x700 simd" "sphere 333x333 simd" "klein 257x130 scalar"; do
    read -r topology size engine <<<"$board"
    of=(run --soup 0.4 --seed 3 --topology "$topology" --size "$size" -g 200 --engine "$engine" -q)
    "$lightcone" "${of[@]}" -o alone.rle
    before=$(sent)
    ranks "${of[@]}" -o shared.rle --checkpoint shared.lcs >out 2>err
    is "$board: exit code" $? 0
    [ $(($(sent) - before)) -gt 50000 ] || fail "$board" "nothing went over the cable: $(cat err)"
    same "$board" shared.rle alone.rle
    is "$board: shares" "$(find . -name 'shared.lcs-*-?.share' | wc -l)" 4
    ranks run shared.lcs -g 100 -q -o shared.rle >out 2>err
    is "$board: exit code from its checkpoint" $? 0
    "$lightcone" run shared.lcs -g 100 -q -o alone.rle
    same "$board, from its checkpoint" shared.rle alone.rle
done

finish
