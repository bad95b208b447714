"""The programs of the reference implementation's example files, under their names and with their syntax, give its
results.

The texts below are written for this test: they use what those files use (names of the library that are defined anew,
parameters that are assigned to, tabs and line ends inside expressions, comments behind code, strings indexed in
comprehensions, joined strings looked up in a list, numbers as truth values, selectors compared with True and False).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from symut.rasp import evaluate, load_program
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import encode
from tests.rasp.published import LIBRARY, MARK, PAPER, differences, main

RASPLIB = """\
tokens = tokens_str;
full_s = select(1,1,==);

def selector_width(sel) {
\tfirst = select(indices, 0, ==);
\tboth = sel and first;
\teither = sel or first;   # the first position is a mark that counts once
\tshare = aggregate(
\t\teither,
\t\tindicator(indices == 0));
\treturn round(1/share - 1 + aggregate(both, 1, 0));
}
def has_focus(sel) { return 0 < aggregate(sel, 1, 0); }
def count(seq,atom) { return round(length*aggregate(full_s,indicator(seq==atom))); }
def contains(seq,atom) { return aggregate(full_s,indicator(seq==atom)) > 0; }
def max(a,b) { return b if b>=a else a; }
def min(a,b) { return b if b<=a else a; }
def load_from_location(seq,location) { return aggregate(select(indices,location,==),seq); }
def shift(seq,n,filler) {
\tmoved = select(indices+n,
\t\tindices,==);
\treturn aggregate(moved, seq, filler);
}
def mark_last_instance(seq,val) {
\tlater = select(indices,indices,>) and
\t\t select(seq,val,==);
\treturn not has_focus(later) and seq==val;
}
def select_from_last(seq,val) { return select(mark_last_instance(seq,val), True, ==); }
def sort(seq,key) {
\tsmaller = select(key,key,<) or (select(key,key,==) and select(indices,indices,<));
\treturn aggregate(select(selector_width(smaller),indices,==),seq);
}
def select_next_identical(seq) {
\trank = selector_width(select(indices,indices,<) and select(seq,seq,==));
\treturn select(seq,seq,==) and select(rank,rank+1,==);
}
"""
PAPER_EXAMPLES = """\
def _width(s) {
\ts = s or select(indices,0,==);
\treturn 1/aggregate(s,indicator(indices==0))-1;
}
hist_bos = _width( select(tokens_str,tokens_str,==));
hist_nobos = selector_width(select(tokens_str,tokens_str,==));
_flip = select(indices,length-1-indices,==);
reverse = aggregate(_flip,tokens_str);

def _sorted(seq,key) {
\tbefore = select(key,key,<) or (select(key,key,==) and select(indices,indices,<));
\trank = _width(before);
\trank = -1 if indices==0 else rank; # the mark
\tgrab = select(rank,indices-1,==) or
\t\t(select(indices,0,==) and select(indices,indices,==));
\treturn aggregate(grab,seq);
}
sort_bos = _sorted(tokens_str,tokens_str);

def _seen() {
\tcopies = _width(select(tokens_str,tokens_str,==) and select(indices,indices,<));
\treturn copies > 0;
}
def _double() {
\tagain = _seen();
\tonce = select(hist_bos,hist_bos,==) and select(again,False,==);
\treturn _width(once);
}
hist2_bos = _double();
def _by_frequency(filler,most) {
\tagain = _seen();
\tcounts = hist_bos - (most*indicator(again));
\tkept = filler if again else tokens_str;
\treturn _sorted(kept,-counts);
}
sort_by_most_freq = _by_frequency("§",300);

def dyckk_ptf(pairs) {
\t# pairs such as ["()","{}"]
\tleft = [p[0] for p in pairs];
\tright = [p[1] for p in pairs];
\topens = indicator(tokens_str in left);
\tcloses = indicator(tokens_str in right);
\tso_far = select(indices,indices,<=);
\tdepth = (indices+1)*aggregate(so_far,opens) - (indices+1)*aggregate(so_far,closes);
\tlevel = depth + closes;
\tplace = selector_width(select(level,level,==) and so_far);
\tpartner = select(opens,True,==) and
\t\t\tselect(level,level,==) and
\t\t\tselect(place,place-1,==);
\topener = aggregate(partner,tokens_str,"-");
\tfits = opener+tokens_str in pairs;
\tbad = closes and not fits;
\tfailed = aggregate(so_far,indicator(bad or (depth<0)))>0;
\treturn "F" if failed else
\t\t("T" if depth==0 else "P");
}
dyck1_ptf = dyckk_ptf(["()"]);
dyck2_ptf = dyckk_ptf(["()","{}"]);
dyck3_ptf = dyckk_ptf(["()","{}","[]"]);
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "RASP_support").mkdir()
    (tmp_path / "RASP_support" / "rasplib.rasp").write_text(RASPLIB)
    (tmp_path / "paper_examples.rasp").write_text(PAPER_EXAMPLES)
    return tmp_path


def test_every_program_gives_the_published_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(str(folder)) == 0
    assert f"{len(LIBRARY) + len(PAPER)} programs" in capsys.readouterr().out


def test_another_program_under_a_name_is_found(folder: Path) -> None:
    library, paper = folder / "RASP_support" / "rasplib.rasp", folder / "paper_examples.rasp"
    paper.write_text(PAPER_EXAMPLES.replace("length-1-indices", "indices"))
    (first, *_) = differences(library, paper)
    assert first.startswith("reverse on hello: ['h', ")
    library.write_text(RASPLIB.replace("b if b>=a else a", "a if b>=a else b"))
    assert next(differences(library, paper)).startswith("max(indices, 2) on hello")


@pytest.mark.parametrize("name", PAPER)
def test_every_paper_example_has_an_encoder_with_its_values(name: str, folder: Path) -> None:
    words, reference = PAPER[name]
    node = load_program(folder / "paper_examples.rasp").node(name)
    short = [word for word in words if len(word) <= 8]
    encoder = encode(node, n=8, alphabet=sorted({*"".join(short), MARK}))
    for word in short:
        assert run(encoder, word) == evaluate(node, word)
        assert all(wanted in (None, found) for found, wanted in zip(run(encoder, word), reference(word), strict=True))


def test_a_file_that_loads_another_sees_its_definitions(folder: Path) -> None:
    (folder / "lib.rasp").write_text(RASPLIB)
    (folder / "both.rasp").write_text('load "lib";\nload "paper_examples";\nset example "hey"\n')
    program = load_program(folder / "both.rasp")
    assert program.example == "hey"
    assert evaluate(program.node("reverse"), "hey") == ["y", "e", "h"]
